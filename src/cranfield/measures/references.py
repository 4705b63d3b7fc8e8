"""Where the measures come from: the works that `cites` names."""

REFERENCES = {
    "agrawal-2009": "R. Agrawal, S. Gollapudi, A. Halverson, S. Ieong. Diversifying search results. WSDM 2009.",
    "aslam-pavlu-2007": "J. A. Aslam, V. Pavlu. A practical sampling strategy for efficient retrieval evaluation. "
    "Northeastern University, 2007.",
    "azzopardi-2018": "L. Azzopardi, P. Thomas, N. Craswell. Measuring the utility of search engine result pages: an "
    "information foraging based measure. SIGIR 2018.",
    "azzopardi-2021": "L. Azzopardi, J. Mackenzie, A. Moffat. ERR is not C/W/L: exploring the relationship between "
    "expected reciprocal rank and other metrics. ICTIR 2021.",
    "buckley-voorhees-2000": "C. Buckley, E. M. Voorhees. Evaluating evaluation measure stability. SIGIR 2000.",
    "buckley-voorhees-2004": "C. Buckley, E. M. Voorhees. Retrieval evaluation with incomplete information. "
    "SIGIR 2004.",
    "buckley-voorhees-2005": "C. Buckley, E. M. Voorhees. Retrieval system evaluation. In: TREC: Experiment and "
    "Evaluation in Information Retrieval, MIT Press 2005.",
    "burges-2005": "C. Burges, T. Shaked, E. Renshaw, A. Lazier, M. Deeds, N. Hamilton, G. Hullender. Learning to rank "
    "using gradient descent. ICML 2005.",
    "carterette-2008": "B. Carterette, P. N. Bennett, D. M. Chickering, S. T. Dumais. Here or there: preference "
    "judgments for relevance. ECIR 2008.",
    "carterette-pavlu-2008": "B. Carterette, V. Pavlu, E. Kanoulas, J. A. Aslam, J. Allan. Evaluation over thousands "
    "of queries. SIGIR 2008.",
    "chapelle-2009": "O. Chapelle, D. Metzler, Y. Zhang, P. Grinspan. Expected reciprocal rank for graded relevance. "
    "CIKM 2009.",
    "chapelle-2011": "O. Chapelle, S. Ji, C. Liao, E. Velipasaoglu, L. Lai, S.-L. Wu. Intent-based diversification of "
    "web search results: metrics and algorithms. Information Retrieval 14(6), 2011.",
    "clarke-2008": "C. L. A. Clarke, M. Kolla, G. V. Cormack, O. Vechtomova, A. Ashkan, S. Büttcher, I. MacKinnon. "
    "Novelty and diversity in information retrieval evaluation. SIGIR 2008.",
    "clarke-2009": "C. L. A. Clarke, M. Kolla, O. Vechtomova. An effectiveness measure for ambiguous and "
    "underspecified queries. ICTIR 2009.",
    "clarke-2011": "C. L. A. Clarke, N. Craswell, I. Soboroff, A. Ashkan. A comparative analysis of cascade measures "
    "for novelty and diversity. WSDM 2011.",
    "clarke-2020": "C. L. A. Clarke, M. D. Smucker, A. Vtyurina. Offline evaluation by maximum similarity to an ideal "
    "ranking. CIKM 2020.",
    "clarke-2021": "C. L. A. Clarke, A. Vtyurina, M. D. Smucker. Assessing top-k preferences. ACM TOIS 39(3), 2021.",
    "dice-1945": "L. R. Dice. Measures of the amount of ecologic association between species. Ecology 26(3), 1945.",
    "fawcett-2006": "T. Fawcett. An introduction to ROC analysis. Pattern Recognition Letters 27(8), 2006.",
    "fowlkes-mallows-1983": "E. B. Fowlkes, C. L. Mallows. A method for comparing two hierarchical clusterings. "
    "Journal of the American Statistical Association 78(383), 1983.",
    "horvitz-thompson-1952": "D. G. Horvitz, D. J. Thompson. A generalization of sampling without replacement from a "
    "finite universe. Journal of the American Statistical Association 47(260), 1952.",
    "jaccard-1912": "P. Jaccard. The distribution of the flora in the alpine zone. New Phytologist 11(2), 1912.",
    "jarvelin-kekalainen-2002": "K. Järvelin, J. Kekäläinen. Cumulated gain-based evaluation of IR techniques. "
    "ACM TOIS 20(4), 2002.",
    "joachims-1998": "T. Joachims. Text categorization with support vector machines: learning with many relevant "
    "features. ECML 1998.",
    "lavrenko-2011": "V. Lavrenko. Text Technologies: Evaluation. Lecture notes, 2011.",
    "lewis-1995": "D. D. Lewis. The TREC-4 filtering track. TREC-4, 1995.",
    "macavaney-2022": "S. MacAvaney, C. Macdonald, I. Ounis. Streamlining evaluation with ir-measures. ECIR 2022.",
    "manning-2008": "C. D. Manning, P. Raghavan, H. Schütze. Introduction to Information Retrieval, chapter 8. "
    "Cambridge University Press 2008.",
    "moffat-2012": "A. Moffat, F. Scholer, P. Thomas. Models and metrics: IR evaluation as a user process. ADCS 2012.",
    "moffat-2015": "A. Moffat, P. Bailey, F. Scholer, P. Thomas. INST: an adaptive metric for information retrieval "
    "evaluation. ADCS 2015.",
    "moffat-2017": "A. Moffat, P. Bailey, F. Scholer, P. Thomas. Incorporating user expectations and behavior into the "
    "measurement of search effectiveness. ACM TOIS 35(3), 2017.",
    "moffat-zobel-2008": "A. Moffat, J. Zobel. Rank-biased precision for measurement of retrieval effectiveness. "
    "ACM TOIS 27(1), 2008.",
    "ndeval": "ndeval, the evaluation program of the diversity task of TREC's Web track (NIST).",
    "robertson-2006": "S. Robertson. On GMAP: and other transformations. CIKM 2006.",
    "robertson-2012": "S. Robertson. On smoothing average precision. ECIR 2012.",
    "sakai-2007": "T. Sakai. On the properties of evaluation metrics for finding one highly relevant document. "
    "IPSJ TOD 48(SIG9), 2007.",
    "sakai-dou-2013": "T. Sakai, Z. Dou. Summaries, ranked retrieval and sessions: a unified framework for information "
    "access evaluation. SIGIR 2013.",
    "sakai-robertson-2008": "T. Sakai, S. Robertson. Modelling a user population for designing information retrieval "
    "metrics. EVIA 2008.",
    "sakai-song-2011": "T. Sakai, R. Song. Evaluating diversified search results using per-intent graded relevance. "
    "SIGIR 2011.",
    "sample_eval": "sample_eval.pl, the evaluation program for stratified samples of the Text REtrieval Conference "
    "(NIST, version of 10 October 2011).",
    "sarndal-1992": "C.-E. Särndal, B. Swensson, J. Wretman. Model Assisted Survey Sampling, chapter 5. Springer 1992.",
    "smucker-clarke-2012": "M. D. Smucker, C. L. A. Clarke. Time-based calibration of effectiveness measures. "
    "SIGIR 2012.",
    "trec_eval": "trec_eval, the evaluation program of the Text REtrieval Conference (NIST).",
    "van-rijsbergen-1979": "C. J. van Rijsbergen. Information Retrieval, chapter 7. Butterworths 1979.",
    "voorhees-1999": "E. M. Voorhees. The TREC-8 question answering track report. TREC-8, 1999.",
    "webber-2010": "W. Webber, A. Moffat, J. Zobel. A similarity measure for indefinite rankings. "
    "ACM TOIS 28(4), 2010.",
    "yilmaz-aslam-2006": "E. Yilmaz, J. A. Aslam. Estimating average precision with incomplete and imperfect "
    "judgments. CIKM 2006.",
    "yilmaz-kanoulas-aslam-2008": "E. Yilmaz, E. Kanoulas, J. A. Aslam. A simple and efficient sampling method for "
    "estimating AP and NDCG. SIGIR 2008.",
    "zhai-2003": "C. Zhai, W. W. Cohen, J. Lafferty. Beyond independent relevance: methods and evaluation metrics for "
    "subtopic retrieval. SIGIR 2003.",
    "zhang-2017": "F. Zhang, Y. Liu, X. Li, M. Zhang, Y. Xu, S. Ma. Evaluating web search with a Bejeweled player "
    "model. SIGIR 2017.",
}
