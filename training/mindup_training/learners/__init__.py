"""Learners that use libraries; an entry point names each."""
