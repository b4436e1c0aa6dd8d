"""Which values stand in for variables while a function runs under a JAX transform."""
