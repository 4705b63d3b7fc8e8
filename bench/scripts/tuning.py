"""Tuning on the Cranfield collection: prints for each method the trials a minute, once per repetition."""

import sys
import tempfile
from pathlib import Path

from cranfield.experiments.parameter_space import ParameterSpace
from cranfield.experiments.splitting import SplitRequest, split_workspace
from cranfield.experiments.tuned_engines import TunedEngines
from cranfield.experiments.tuning import tune
from cranfield.experiments.tuning_material import tuning_material
from cranfield.experiments.updating import index_system
from cranfield.experiments.workspace_file import read_workspace
from cranfield.formats.collections import import_collection

TOML = """
version = 1
collection = "cranfield"
[systems.bm25]
engine = "bm25"
"""
SPACE = ParameterSpace.of(["k1=0.6..2.0", "b=0.1..0.9"])
TRIALS = 50
METHODS = (("grid", 0), ("tpe", 0), ("grid", 5), ("tpe", 5))


def main(collection: str, repeats: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        import_collection("cranfield", collection, Path(folder, "cranfield"), name="cranfield")
        Path(folder, "cranfield.toml").write_text(TOML)
        split_workspace(read_workspace(folder), SplitRequest(seed=1), what="bench")
        workspace = read_workspace(folder)
        system = workspace.system("bm25")
        index_system(workspace, system)
        material = tuning_material(workspace)
        print("topics", len(material.topics), sep="\t")
        for method, folds in METHODS:
            speeds = []
            for _ in range(repeats):
                engines = TunedEngines(workspace, system, lambda varied: None)
                found = tune(material, engines, SPACE, "AP", trials=TRIALS, method=method, folds=folds)
                engines.close()
                speeds.append(found.trials_per_minute)
            print(f"{method}, {folds} folds" if folds else method, found.searches, *speeds, sep="\t")


main(sys.argv[1], int(sys.argv[2]))
