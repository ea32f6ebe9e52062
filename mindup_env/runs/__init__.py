"""Files: ``files`` writes them in one atomic step; ``run_folder`` has the folder of a training."""
