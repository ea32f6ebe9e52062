"""What a run keeps on disk, and how it plays or trains.

- ``files``: files that are written in one step, and locked folders; ``run_folder``: a folder that
  resumes; ``fingerprints``: the code and the versions that a run depends on
- ``processes``: worker processes, Ray clusters, the progress bar
- ``options``: options that commands share, of the folder and of the game
"""
