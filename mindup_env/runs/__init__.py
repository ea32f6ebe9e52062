"""What a run keeps on disk, and how it shows where it is.

- ``files``: files that are written in one step
- ``folder_lock``: one process at a time in a folder
- ``run_folder``: a folder that resumes
- ``fingerprints``: the code and the versions that a run depends on
- ``processes``, ``progress``, ``ray_cluster``: worker processes, progress bars, Ray clusters
- ``folder_options``, ``table_options``: options of commands, for the folder and for the game
"""
