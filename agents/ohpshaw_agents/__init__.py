"""Built-in agents, one module per family: `make_agent(**params)` in a module makes it an agent."""
