"""Commands that write the generated parts of the documents, the golden files and the studies."""
