"""What pytrec_eval's documentation shows, retyped: scripts that import it, and are run under both modules."""

from __future__ import annotations

IMPORT = "import pytrec_eval"
INSTEAD = "from cranfield.compat import pytrec_eval"

DATA = """
qrel = {'q1': {'d1': 0, 'd2': 1, 'd3': 0}, 'q2': {'d2': 1, 'd3': 1}}
run = {'q1': {'d1': 1.0, 'd2': 0.0, 'd3': 1.5}, 'q2': {'d1': 1.5, 'd2': 0.2, 'd3': 0.5}}
"""

SIMPLE = f"""
import json
{IMPORT}
{DATA}
evaluator = pytrec_eval.RelevanceEvaluator(qrel, {{'map', 'ndcg'}})
print(json.dumps(evaluator.evaluate(run), indent=1))
"""
"""The example of the README, and examples/simple.py."""

SIMPLE_CUT = f"""
import json
{IMPORT}
{DATA}
evaluator = pytrec_eval.RelevanceEvaluator(qrel, {{'map_cut', 'ndcg_cut'}})
print(json.dumps(evaluator.evaluate(run), indent=1))
"""
"""examples/simple_cut.py."""

TREC_EVAL = f"""
import argparse
{IMPORT}

parser = argparse.ArgumentParser()
parser.add_argument('qrel')
parser.add_argument('run')
args = parser.parse_args()
with open(args.qrel) as f_qrel:
    qrel = pytrec_eval.parse_qrel(f_qrel)
with open(args.run) as f_run:
    run = pytrec_eval.parse_run(f_run)
results = pytrec_eval.RelevanceEvaluator(qrel, pytrec_eval.supported_measures).evaluate(run)

def print_line(measure, scope, value):
    print('{{:25s}}{{:8s}}{{:.4f}}'.format(measure, scope, value))

for query_id, query_measures in sorted(results.items()):
    for measure, value in sorted(query_measures.items()):
        print_line(measure, query_id, value)
for measure in sorted(query_measures):
    values = [of_query[measure] for of_query in results.values()]
    print_line(measure, 'all', pytrec_eval.compute_aggregated_measure(measure, values))
"""
"""examples/trec_eval.py, which stands in for trec_eval's command."""

SIGNIFICANCE = f"""
import argparse
import scipy.stats
{IMPORT}

parser = argparse.ArgumentParser()
parser.add_argument('qrel')
parser.add_argument('run', nargs=2)
parser.add_argument('--measure', choices=pytrec_eval.supported_measures, required=True)
args = parser.parse_args()
with open(args.qrel) as f_qrel:
    qrel = pytrec_eval.parse_qrel(f_qrel)
evaluator = pytrec_eval.RelevanceEvaluator(qrel, {{args.measure}})
results = []
for path in args.run:
    with open(path) as f_run:
        results.append(evaluator.evaluate(pytrec_eval.parse_run(f_run)))
query_ids = sorted(set(results[0]) & set(results[1]))
first, second = ([of_run[query_id][args.measure] for query_id in query_ids] for of_run in results)
print(scipy.stats.ttest_rel(first, second))
"""
"""examples/statistical_significance.py."""

ONE_QUERY_AT_A_TIME = f"""
{IMPORT}

relevance = {{'d1': 1, 'd2': 2}}
evaluator = pytrec_eval.RelevanceEvaluator({{'0': relevance}}, {{'ndcg'}})
for found in ({{'d9': 2.0}}, {{'d1': 2.0, 'd9': 1.0}}, {{'d2': 2.0, 'd1': 1.0}}):
    print(evaluator.evaluate({{'0': found}})['0']['ndcg'])
"""
"""The heart of examples/rl.py: the reward of an agent is the nDCG of what its query finds."""

WORKING_WITH_DICTS = f"""
import json
import sys
{IMPORT}

qrel = pytrec_eval.parse_qrel(open(sys.argv[1]))
run = pytrec_eval.parse_run(open(sys.argv[2]))
print(len(run), sorted(run) == sorted(qrel), isinstance(run, dict), all(isinstance(d, dict) for d in run.values()))
for query in list(run):
    # Only the best three, as a re-ranker would have them; a document that is known to be wrong is taken out.
    best = sorted(run[query].items(), key=lambda item: (-item[1], item[0]))[:3]
    run[query] = {{document: score for document, score in best}}
    run[query].pop('d-wrong', None)
evaluator = pytrec_eval.RelevanceEvaluator(qrel, ['ndcg_cut.1,3', 'recip_rank', 'P_1,3'])
print(json.dumps(evaluator.evaluate(run), sort_keys=True))
print(json.dumps(run))
fused = {{query: {{doc: 0.5 * score for doc, score in docs.items()}} for query, docs in run.items()}}
print(evaluator.evaluate({{query: fused[query] for query in sorted(fused)[:2]}}))
"""
"""What scripts do with what was parsed: cut it, change it, dump it, make other runs of it."""
