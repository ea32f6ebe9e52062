"""What a run keeps on disk, and the options that commands share.

- ``files``: files that are written in one step, and locked folders; ``run_folder``: a folder that
  resumes
- ``options``: options of the folder, the processes and the game
"""
