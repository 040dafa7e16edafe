#include "core/catalog/publication_years.h"

namespace headlight {

std::span<const Publication> publications_2021() {
    using enum Publication::Kind;
    using namespace venues;
    static constexpr Publication all[] = {
        {"Adder Attention for Vision Transformer",
         "Shu, Han and Wang, Jiahao and Chen, Hanting and Li, Lin and Yang, Yujiu and Wang, Yunhe",
         proceedings, neurips, 2021},
        {"An Attention Free Transformer",
         "Zhai, Shuangfei and Talbott, Walter and Srivastava, Nitish and Huang, Chen and Goh, Hanlin and "
         "Zhang, Ruixiang and Susskind, Josh",
         other, "arXiv:2105.14103", 2021},
        {"Autoformer: Decomposition Transformers with Auto-Correlation for Long-Term Series Forecasting",
         "Wu, Haixu and Xu, Jiehui and Wang, Jianmin and Long, Mingsheng", proceedings, neurips, 2021, 0, 6},
        {"Beyond Self-attention: External Attention Using Two Linear Layers for Visual Tasks",
         "Guo, Meng-Hao and Liu, Zheng-Ning and Mu, Tai-Jiang and Hu, Shi-Min", other, "arXiv:2105.02358",
         2021},
        {"CoAtNet: Marrying Convolution and Attention for All Data Sizes",
         "Dai, Zihang and Liu, Hanxiao and Le, Quoc V. and Tan, Mingxing", proceedings, neurips, 2021},
        {"Coordinate Attention for Efficient Mobile Network Design",
         "Hou, Qibin and Zhou, Daquan and Feng, Jiashi", proceedings, cvpr, 2021},
        {"DeBERTa: Decoding-Enhanced BERT with Disentangled Attention",
         "He, Pengcheng and Liu, Xiaodong and Gao, Jianfeng and Chen, Weizhu", proceedings, iclr, 2021, 2020,
         6},
        {"Deformable DETR: Deformable Transformers for End-to-End Object Detection",
         "Zhu, Xizhou and Su, Weijie and Lu, Lewei and Li, Bin and Wang, Xiaogang and Dai, Jifeng",
         proceedings, iclr, 2021, 2020},
        {"Do Transformers Really Perform Badly for Graph Representation?",
         "Ying, Chengxuan and Cai, Tianle and Luo, Shengjie and Zheng, Shuxin and Ke, Guolin and He, Di and "
         "Shen, Yanming and Liu, Tie-Yan",
         proceedings, neurips, 2021, 0, 6},
        {"Efficient Attention: Attention with Linear Complexities",
         "Shen, Zhuoran and Zhang, Mingyuan and Zhao, Haiyu and Yi, Shuai and Li, Hongsheng", proceedings,
         "IEEE/CVF Winter Conference on Applications of Computer Vision", 2021, 2018},
        {"Efficient Content-Based Sparse Attention with Routing Transformers",
         "Roy, Aurko and Saffar, Mohammad and Vaswani, Ashish and Grangier, David", journal,
         "Transactions of the Association for Computational Linguistics", 2021, 2020, 3},
        {"Efficient Sequence Packing without Cross-contamination: Accelerating Large Language Models without "
         "Impacting Performance",
         "Krell, Mario Michael and Kosec, Matej and Perez, Sergio P. and Fitzgibbon, Andrew", other,
         "arXiv:2107.02027", 2021},
        {"Fastformer: Additive Attention Can Be All You Need",
         "Wu, Chuhan and Wu, Fangzhao and Qi, Tao and Huang, Yongfeng and Xie, Xing", other,
         "arXiv:2108.09084", 2021},
        {"Finetuning Pretrained Transformers into RNNs",
         "Kasai, Jungo and Peng, Hao and Zhang, Yizhe and Yogatama, Dani and Ilharco, Gabriel and Pappas, "
         "Nikolaos and Mao, Yi and Chen, Weizhu and Smith, Noah A.",
         proceedings, emnlp, 2021},
        {"FMMformer: Efficient and Flexible Transformer via Decomposed Near-field and Far-field Attention",
         "Nguyen, Tan M. and Suliafu, Vai and Osher, Stanley J. and Chen, Long and Wang, Bao", proceedings,
         neurips, 2021},
        {"Global Filter Networks for Image Classification",
         "Rao, Yongming and Zhao, Wenliang and Zhu, Zheng and Lu, Jiwen and Zhou, Jie", proceedings, neurips,
         2021, 0, 7},
        {"Going deeper with Image Transformers",
         "Touvron, Hugo and Cord, Matthieu and Sablayrolles, Alexandre and Synnaeve, Gabriel and Jégou, "
         "Hervé",
         proceedings, iccv, 2021},
        {"GPT-J-6B: A 6 Billion Parameter Autoregressive Language Model", "Wang, Ben and Komatsuzaki, Aran",
         other, "https://github.com/kingoflolz/mesh-transformer-jax", 2021, 0, 6},
        {"H-Transformer-1D: Fast One-Dimensional Hierarchical Attention for Sequences",
         "Zhu, Zhenhai and Soricut, Radu", proceedings, acl, 2021},
        {"Highly Accurate Protein Structure Prediction with AlphaFold",
         "Jumper, John and Evans, Richard and Pritzel, Alexander and Green, Tim and Figurnov, Michael and "
         "Ronneberger, Olaf and Tunyasuvunakool, Kathryn and Bates, Russ and Žídek, Augustin and Potapenko, "
         "Anna and others",
         journal, "Nature", 2021, 0, 7},
        {"Hopfield Networks is All You Need",
         "Ramsauer, Hubert and Schäfl, Bernhard and Lehner, Johannes and Seidl, Philipp and Widrich, Michael "
         "and Gruber, Lukas and Holzleitner, Markus and Adler, Thomas and Kreil, David and Kopp, Michael K. "
         "and Klambauer, Günter and Brandstetter, Johannes and Hochreiter, Sepp",
         proceedings, iclr, 2021, 2020, 8},
        {"Informer: Beyond Efficient Transformer for Long Sequence Time-Series Forecasting",
         "Zhou, Haoyi and Zhang, Shanghang and Peng, Jieqi and Zhang, Shuai and Li, Jianxin and Xiong, Hui "
         "and Zhang, Wancai",
         proceedings, "AAAI Conference on Artificial Intelligence", 2021, 2020},
        {"Involution: Inverting the Inherence of Convolution for Visual Recognition",
         "Li, Duo and Hu, Jie and Wang, Changhu and Li, Xiangtai and She, Qi and Zhu, Lei and Zhang, Tong "
         "and Chen, Qifeng",
         proceedings, cvpr, 2021, 0, 3},
        {"Keeping Your Eye on the Ball: Trajectory Attention in Video Transformers",
         "Patrick, Mandela and Campbell, Dylan and Asano, Yuki M. and Misra, Ishan and Metze, Florian and "
         "Feichtenhofer, Christoph and Vedaldi, Andrea and Henriques, João F.",
         proceedings, neurips, 2021, 0, 6},
        {"LambdaNetworks: Modeling Long-Range Interactions without Attention", "Bello, Irwan", proceedings,
         iclr, 2021},
        {"Learning Transferable Visual Models From Natural Language Supervision",
         "Radford, Alec and Kim, Jong Wook and Hallacy, Chris and Ramesh, Aditya and Goh, Gabriel and "
         "Agarwal, Sandhini and Sastry, Girish and Askell, Amanda and Mishkin, Pamela and Clark, Jack and "
         "Krueger, Gretchen and Sutskever, Ilya",
         proceedings, icml, 2021},
        {"Linear Transformers Are Secretly Fast Weight Programmers",
         "Schlag, Imanol and Irie, Kazuki and Schmidhuber, Jürgen", proceedings, icml, 2021},
        {"LoFTR: Detector-Free Local Feature Matching with Transformers",
         "Sun, Jiaming and Shen, Zehong and Wang, Yuang and Bao, Hujun and Zhou, Xiaowei", proceedings, cvpr,
         2021, 0, 4},
        {"Luna: Linear Unified Nested Attention",
         "Ma, Xuezhe and Kong, Xiang and Wang, Sinong and Zhou, Chunting and May, Jonathan and Ma, Hao and "
         "Zettlemoyer, Luke",
         proceedings, neurips, 2021},
        {"NormFormer: Improved Transformer Pretraining with Extra Normalization",
         "Shleifer, Sam and Weston, Jason and Ott, Myle", other, "arXiv:2110.09456", 2021},
        {"Nyströmformer: A Nyström-Based Algorithm for Approximating Self-Attention",
         "Xiong, Yunyang and Zeng, Zhanpeng and Chakraborty, Rudrasis and Tan, Mingxing and Fung, Glenn and "
         "Li, Yin and Singh, Vikas",
         proceedings, "AAAI Conference on Artificial Intelligence", 2021, 0, 2},
        {"Pay Attention to MLPs", "Liu, Hanxiao and Dai, Zihang and So, David R. and Le, Quoc V.",
         proceedings, neurips, 2021, 0, 5},
        {"Perceiver: General Perception with Iterative Attention",
         "Jaegle, Andrew and Gimeno, Felix and Brock, Andy and Vinyals, Oriol and Zisserman, Andrew and "
         "Carreira, João",
         proceedings, icml, 2021},
        {"Polarized Self-Attention: Towards High-quality Pixel-wise Regression",
         "Liu, Huajun and Liu, Fuqiang and Fan, Xinyi and Huang, Dong", other, "arXiv:2107.00782", 2021},
        {"Pyramid Vision Transformer: A Versatile Backbone for Dense Prediction without Convolutions",
         "Wang, Wenhai and Xie, Enze and Li, Xiang and Fan, Deng-Ping and Song, Kaitao and Liang, Ding and "
         "Lu, Tong and Luo, Ping and Shao, Ling",
         proceedings, iccv, 2021, 0, 2},
        {"Random Feature Attention",
         "Peng, Hao and Pappas, Nikolaos and Yogatama, Dani and Schwartz, Roy and Smith, Noah A. and Kong, "
         "Lingpeng",
         proceedings, iclr, 2021},
        {"RealFormer: Transformer Likes Residual Attention",
         "He, Ruining and Ravula, Anirudh and Kanagal, Bhargav and Ainslie, Joshua", proceedings,
         "Findings of the Association for Computational Linguistics: ACL-IJCNLP", 2021, 2020},
        {"Residual Attention: A Simple but Effective Method for Multi-Label Recognition",
         "Zhu, Ke and Wu, Jianxin", proceedings, iccv, 2021},
        {"Rethinking Attention with Performers",
         "Choromanski, Krzysztof and Likhosherstov, Valerii and Dohan, David and Song, Xingyou and Gane, "
         "Andreea and Sarlos, Tamas and Hawkins, Peter and Davis, Jared and Mohiuddin, Afroz and Kaiser, "
         "Łukasz and Belanger, David and Colwell, Lucy and Weller, Adrian",
         proceedings, iclr, 2021, 2020, 9},
        {"Rethinking Positional Encoding in Language Pre-training", "Ke, Guolin and He, Di and Liu, Tie-Yan",
         proceedings, iclr, 2021, 2020, 6},
        {"Rotate to Attend: Convolutional Triplet Attention Module",
         "Misra, Diganta and Nalamada, Trikay and Arasanipalai, Ajay Uppili and Hou, Qibin", proceedings,
         "IEEE/CVF Winter Conference on Applications of Computer Vision", 2021, 2020},
        {"SA-Net: Shuffle Attention for Deep Convolutional Neural Networks",
         "Zhang, Qing-Long and Yang, Yu-Bin", proceedings,
         "IEEE International Conference on Acoustics, Speech and Signal Processing", 2021, 0, 2},
        {"Scaling Local Self-Attention for Parameter Efficient Visual Backbones",
         "Vaswani, Ashish and Ramachandran, Prajit and Srinivas, Aravind and Parmar, Niki and Hechtman, "
         "Blake and Shlens, Jonathon",
         proceedings, cvpr, 2021, 0, 3},
        {"SimAM: A Simple, Parameter-Free Attention Module for Convolutional Neural Networks",
         "Yang, Lingxiao and Zhang, Ru-Yuan and Li, Lida and Xie, Xiaohua", proceedings, icml, 2021},
        {"Skyformer: Remodel Self-Attention with Gaussian Kernel and Nyström Method",
         "Chen, Yifan and Zeng, Qi and Ji, Heng and Yang, Yun", proceedings, neurips, 2021, 0, 11},
        {"SOFT: Softmax-free Transformer with Linear Complexity",
         "Lu, Jiachen and Yao, Jinghan and Zhang, Junge and Zhu, Xiatian and Xu, Hang and Gao, Weiguo and "
         "Xu, Chunjing and Xiang, Tao and Zhang, Li",
         proceedings, neurips, 2021},
        {"Sparse Attention with Linear Units", "Zhang, Biao and Titov, Ivan and Sennrich, Rico", proceedings,
         emnlp, 2021},
        {"Swin Transformer: Hierarchical Vision Transformer using Shifted Windows",
         "Liu, Ze and Lin, Yutong and Cao, Yue and Hu, Han and Wei, Yixuan and Zhang, Zheng and Lin, Stephen "
         "and Guo, Baining",
         proceedings, iccv, 2021, 0, 3},
        {"Synthesizer: Rethinking Self-Attention for Transformer Models",
         "Tay, Yi and Bahri, Dara and Metzler, Donald and Juan, Da-Cheng and Zhao, Zhe and Zheng, Che",
         proceedings, icml, 2021, 2020},
        {"The Lipschitz Constant of Self-Attention", "Kim, Hyunjik and Papamakarios, George and Mnih, Andriy",
         proceedings, icml, 2021, 2020},
        {"UFO-ViT: High Performance Linear Vision Transformer without Softmax", "Song, Jeong-geun", other,
         "arXiv:2109.14382", 2021},
        {"VOLO: Vision Outlooker for Visual Recognition",
         "Yuan, Li and Hou, Qibin and Jiang, Zihang and Feng, Jiashi and Yan, Shuicheng", other,
         "arXiv:2106.13112", 2021},
        {"XCiT: Cross-Covariance Image Transformers",
         "El-Nouby, Alaaeldin and Touvron, Hugo and Caron, Mathilde and Bojanowski, Piotr and Douze, "
         "Matthijs and Joulin, Armand and Laptev, Ivan and Neverova, Natalia and Synnaeve, Gabriel and "
         "Verbeek, Jakob and Jégou, Hervé",
         proceedings, neurips, 2021},
        {"You Only Sample (Almost) Once: Linear Cost Self-Attention Via Bernoulli Sampling",
         "Zeng, Zhanpeng and Xiong, Yunyang and Ravi, Sathya N. and Acharya, Shailesh and Fung, Glenn M. and "
         "Singh, Vikas",
         proceedings, icml, 2021},
    };
    return all;
}

}  // namespace headlight
