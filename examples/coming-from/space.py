"""The study for SMAC 3: writes space.json, by ConfigSpace 1.2."""

from ConfigSpace import Categorical, ConfigurationSpace, Float, Integer

space = ConfigurationSpace()
space.add(Integer("k", (1, 20), default=15))
space.add(Float("temp", (0.01, 100.0), log=True, default=30.0))
space.add(Categorical("move", ["swap", "2opt"], default="swap"))
space.to_json("space.json")
