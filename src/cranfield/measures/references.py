"""Where the measures come from: the works that `cites` names."""

REFERENCES = {
    "buckley-voorhees-2000": "C. Buckley, E. M. Voorhees. Evaluating evaluation measure stability. SIGIR 2000.",
    "buckley-voorhees-2004": "C. Buckley, E. M. Voorhees. Retrieval evaluation with incomplete information. "
    "SIGIR 2004.",
    "buckley-voorhees-2005": "C. Buckley, E. M. Voorhees. Retrieval system evaluation. In: TREC: Experiment and "
    "Evaluation in Information Retrieval, MIT Press 2005.",
    "carterette-2008": "B. Carterette, P. N. Bennett, D. M. Chickering, S. T. Dumais. Here or there: preference "
    "judgments for relevance. ECIR 2008.",
    "jarvelin-kekalainen-2002": "K. Järvelin, J. Kekäläinen. Cumulated gain-based evaluation of IR techniques. "
    "ACM TOIS 20(4), 2002.",
    "lewis-1995": "D. D. Lewis. The TREC-4 filtering track. TREC-4, 1995.",
    "manning-2008": "C. D. Manning, P. Raghavan, H. Schütze. Introduction to Information Retrieval, chapter 8. "
    "Cambridge University Press 2008.",
    "moffat-zobel-2008": "A. Moffat, J. Zobel. Rank-biased precision for measurement of retrieval effectiveness. "
    "ACM TOIS 27(1), 2008.",
    "robertson-2006": "S. Robertson. On GMAP: and other transformations. CIKM 2006.",
    "robertson-2012": "S. Robertson. On smoothing average precision. ECIR 2012.",
    "trec_eval": "trec_eval, the evaluation program of the Text REtrieval Conference (NIST).",
    "van-rijsbergen-1979": "C. J. van Rijsbergen. Information Retrieval, chapter 7. Butterworths 1979.",
    "voorhees-1999": "E. M. Voorhees. The TREC-8 question answering track report. TREC-8, 1999.",
    "yilmaz-aslam-2006": "E. Yilmaz, J. A. Aslam. Estimating average precision with incomplete and imperfect "
    "judgments. CIKM 2006.",
}
