#include "core/catalog/publications.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace headlight {
namespace {

constexpr std::string_view neurips = "Advances in Neural Information Processing Systems";
constexpr std::string_view iclr = "International Conference on Learning Representations";
constexpr std::string_view icml = "International Conference on Machine Learning";
constexpr std::string_view acl = "Annual Meeting of the Association for Computational Linguistics";
constexpr std::string_view emnlp = "Conference on Empirical Methods in Natural Language Processing";
constexpr std::string_view naacl = "Conference of the North American Chapter of the Association for "
                                   "Computational Linguistics: Human Language Technologies";
constexpr std::string_view cvpr = "IEEE/CVF Conference on Computer Vision and Pattern Recognition";
constexpr std::string_view iccv = "IEEE/CVF International Conference on Computer Vision";
constexpr std::string_view emnlp_findings =
    "Findings of the Association for Computational Linguistics: EMNLP";
constexpr std::string_view jmlr = "Journal of Machine Learning Research";

using enum Publication::Kind;

// By title. Where more wrote one than are known for certain, "and others" stands for the rest.
constexpr Publication known_publications[] = {
    {"A Length-Extrapolatable Transformer",
     "Sun, Yutao and Dong, Li and Patra, Barun and Ma, Shuming and Huang, Shaohan and Benhaim, Alon and "
     "Chaudhary, Vishrav and Song, Xia and Wei, Furu",
     proceedings, acl, 2023},
    {"ABC: Attention with Bounded-memory Control",
     "Peng, Hao and Kasai, Jungo and Pappas, Nikolaos and Yogatama, Dani and Wu, Zhaofeng and Kong, Lingpeng "
     "and Schwartz, Roy and Smith, Noah A.",
     proceedings, acl, 2022},
    {"Actions Speak Louder than Words: Trillion-Parameter Sequential Transducers for Generative "
     "Recommendations",
     "Zhai, Jiaqi and Liao, Lucy and Liu, Xing and Wang, Yueming and Li, Rui and Cao, Xuan and Gao, Leon and "
     "Gong, Zhaojie and Gu, Fangda and He, Jiayuan and Lu, Yinghai and Shi, Yu",
     proceedings, icml, 2024},
    {"Adaptive Attention Span in Transformers",
     "Sukhbaatar, Sainbayar and Grave, Edouard and Bojanowski, Piotr and Joulin, Armand", proceedings, acl,
     2019},
    {"Adder Attention for Vision Transformer",
     "Shu, Han and Wang, Jiahao and Chen, Hanting and Li, Lin and Yang, Yujiu and Wang, Yunhe", proceedings,
     neurips, 2021},
    {"AdderNet: Do We Really Need Multiplications in Deep Learning?",
     "Chen, Hanting and Wang, Yunhe and Xu, Chunjing and Shi, Boxin and Xu, Chao and Tian, Qi and Xu, Chang",
     proceedings, cvpr, 2020},
    {"Agent Attention: On the Integration of Softmax and Linear Attention",
     "Han, Dongchen and Ye, Tianzhu and Han, Yizeng and Xia, Zhuofan and Pan, Siyuan and Wan, Pengfei and "
     "Song, Shiji and Huang, Gao",
     proceedings, "European Conference on Computer Vision", 2024},
    {"AllenNLP: A Deep Semantic Natural Language Processing Platform",
     "Gardner, Matt and Grus, Joel and Neumann, Mark and Tafjord, Oyvind and Dasigi, Pradeep and Liu, Nelson "
     "F. and Peters, Matthew and Schmitz, Michael and Zettlemoyer, Luke",
     proceedings, "Workshop for NLP Open Source Software", 2018},
    {"An Attention Free Transformer",
     "Zhai, Shuangfei and Talbott, Walter and Srivastava, Nitish and Huang, Chen and Goh, Hanlin and Zhang, "
     "Ruixiang and Susskind, Josh",
     other, "arXiv:2105.14103", 2021},
    {"An Exploration of Softmax Alternatives Belonging to the Spherical Loss Family",
     "de Brébisson, Alexandre and Vincent, Pascal", proceedings, iclr, 2016},
    {"Area Attention", "Li, Yang and Kaiser, Łukasz and Bengio, Samy and Si, Si", proceedings, icml, 2019},
    {"Attention Is All You Need",
     "Vaswani, Ashish and Shazeer, Noam and Parmar, Niki and Uszkoreit, Jakob and Jones, Llion and Gomez, "
     "Aidan N. and Kaiser, Łukasz and Polosukhin, Illia",
     proceedings, neurips, 2017},
    {"Attention Is Off By One", "Miller, Evan", other,
     "https://www.evanmiller.org/attention-is-off-by-one.html", 2023},
    {"Attention U-Net: Learning Where to Look for the Pancreas",
     "Oktay, Ozan and Schlemper, Jo and Le Folgoc, Loic and Lee, Matthew and Heinrich, Mattias and Misawa, "
     "Kazunari and Mori, Kensaku and McDonagh, Steven and Hammerla, Nils Y. and Kainz, Bernhard and Glocker, "
     "Ben and Rueckert, Daniel",
     other, "arXiv:1804.03999", 2018},
    {"Attention-Based Models for Speech Recognition",
     "Chorowski, Jan and Bahdanau, Dzmitry and Serdyuk, Dmitriy and Cho, Kyunghyun and Bengio, Yoshua",
     proceedings, neurips, 2015},
    {"Augmenting Self-attention with Persistent Memory",
     "Sukhbaatar, Sainbayar and Grave, Edouard and Lample, Guillaume and Jégou, Hervé and Joulin, Armand",
     other, "arXiv:1907.01470", 2019},
    {"Axial Attention in Multidimensional Transformers",
     "Ho, Jonathan and Kalchbrenner, Nal and Weissenborn, Dirk and Salimans, Tim", other, "arXiv:1912.12180",
     2019},
    {"BAM: Bottleneck Attention Module",
     "Park, Jongchan and Woo, Sanghyun and Lee, Joon-Young and Kweon, In So", proceedings,
     "British Machine Vision Conference", 2018},
    {"BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding",
     "Devlin, Jacob and Chang, Ming-Wei and Lee, Kenton and Toutanova, Kristina", proceedings, naacl, 2019},
    {"Beyond Self-attention: External Attention Using Two Linear Layers for Visual Tasks",
     "Guo, Meng-Hao and Liu, Zheng-Ning and Mu, Tai-Jiang and Hu, Shi-Min", other, "arXiv:2105.02358", 2021},
    {"Bidirectional Attention Flow for Machine Comprehension",
     "Seo, Minjoon and Kembhavi, Aniruddha and Farhadi, Ali and Hajishirzi, Hannaneh", proceedings, iclr,
     2017},
    {"Big Bird: Transformers for Longer Sequences",
     "Zaheer, Manzil and Guruganesh, Guru and Dubey, Kumar Avinava and Ainslie, Joshua and Alberti, Chris "
     "and Ontanon, Santiago and Pham, Philip and Ravula, Anirudh and Wang, Qifan and Yang, Li and Ahmed, Amr",
     proceedings, neurips, 2020},
    {"Block Diffusion: Interpolating Between Autoregressive and Diffusion Language Models",
     "Arriola, Marianne and Gokaslan, Aaron and Chiu, Justin T. and Yang, Zhihan and Qi, Zhixuan and Han, "
     "Jiaqi and Sahoo, Subham Sekhar and Kuleshov, Volodymyr",
     proceedings, iclr, 2025},
    {"Blockwise Self-Attention for Long Document Understanding",
     "Qiu, Jiezhong and Ma, Hao and Levy, Omer and Yih, Wen-tau and Wang, Sinong and Tang, Jie", proceedings,
     emnlp_findings, 2020},
    {"Categorical Reparameterization with Gumbel-Softmax", "Jang, Eric and Gu, Shixiang and Poole, Ben",
     proceedings, iclr, 2017},
    {"Causal Attention with Lookahead Keys",
     "Song, Zhuoqing and Sun, Peng and Yuan, Huizhuo and Gu, Quanquan", other, "arXiv:2509.07301", 2025},
    {"CBAM: Convolutional Block Attention Module",
     "Woo, Sanghyun and Park, Jongchan and Lee, Joon-Young and Kweon, In So", proceedings,
     "European Conference on Computer Vision", 2018},
    {"CCNet: Criss-Cross Attention for Semantic Segmentation",
     "Huang, Zilong and Wang, Xinggang and Huang, Lichao and Huang, Chang and Wei, Yunchao and Liu, Wenyu",
     proceedings, iccv, 2019},
    {"CoAtNet: Marrying Convolution and Attention for All Data Sizes",
     "Dai, Zihang and Liu, Hanxiao and Le, Quoc V. and Tan, Mingxing", proceedings, neurips, 2021},
    {"Comba: Improving Bilinear RNNs with Closed-loop Control",
     "Hu, Jiaxi and Pan, Yongqi and Du, Jusen and Lan, Disen and Tang, Xiaqiang and Wen, Qingsong and Liang, "
     "Yuxuan and Sun, Weigao",
     other, "arXiv:2506.02475", 2025},
    {"Compositional Attention: Disentangling Search and Retrieval",
     "Mittal, Sarthak and Raparthy, Sharath Chandra and Rish, Irina and Bengio, Yoshua and Lajoie, Guillaume",
     proceedings, iclr, 2022},
    {"Compositional De-Attention Networks",
     "Tay, Yi and Luu, Anh Tuan and Zhang, Aston and Wang, Shuohang and Hui, Siu Cheung", proceedings,
     neurips, 2019},
    {"Conditional Positional Encodings for Vision Transformers",
     "Chu, Xiangxiang and Tian, Zhi and Zhang, Bo and Wang, Xinlong and Shen, Chunhua", proceedings, iclr,
     2023},
    {"Contextual Position Encoding: Learning to Count What’s Important",
     "Golovneva, Olga and Wang, Tianlu and Weston, Jason and Sukhbaatar, Sainbayar", other,
     "arXiv:2405.18719", 2024},
    {"Contextual Transformer Networks for Visual Recognition",
     "Li, Yehao and Yao, Ting and Pan, Yingwei and Mei, Tao", journal,
     "IEEE Transactions on Pattern Analysis and Machine Intelligence", 2023},
    {"Convolutional Sequence to Sequence Learning",
     "Gehring, Jonas and Auli, Michael and Grangier, David and Yarats, Denis and Dauphin, Yann N.",
     proceedings, icml, 2017},
    {"Coordinate Attention for Efficient Mobile Network Design",
     "Hou, Qibin and Zhou, Daquan and Feng, Jiashi", proceedings, cvpr, 2021},
    {"cosFormer: Rethinking Softmax in Attention",
     "Qin, Zhen and Sun, Weixuan and Deng, Hui and Li, Dongxu and Wei, Yunshen and Lv, Baohong and Yan, "
     "Junjie and Kong, Lingpeng and Zhong, Yiran",
     proceedings, iclr, 2022},
    {"CrossFormer: A Versatile Vision Transformer Hinging on Cross-scale Attention",
     "Wang, Wenxiao and Yao, Lu and Chen, Long and Lin, Binbin and Cai, Deng and He, Xiaofei and Liu, Wei",
     proceedings, iclr, 2022},
    {"DeBERTa: Decoding-Enhanced BERT with Disentangled Attention",
     "He, Pengcheng and Liu, Xiaodong and Gao, Jianfeng and Chen, Weizhu", proceedings, iclr, 2021},
    {"Decoupling the “What” and “Where” With Polar Coordinate Positional Embeddings",
     "Gopalakrishnan, Anand and Csordás, Róbert and Schmidhuber, Jürgen and Mozer, Michael C.", other,
     "arXiv:2509.10534", 2025},
    {"Deep Transformers without Shortcuts: Modifying Self-attention for Faithful Signal Propagation",
     "He, Bobby and Martens, James and Zhang, Guodong and Botev, Aleksandar and Brock, Andrew and Smith, "
     "Samuel L. and Teh, Yee Whye",
     proceedings, iclr, 2023},
    {"DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts Language Model", "{DeepSeek-AI}",
     other, "arXiv:2405.04434", 2024},
    {"DeepSeek-V3.2-Exp: Boosting Long-Context Efficiency with DeepSeek Sparse Attention", "{DeepSeek-AI}",
     other, "https://github.com/deepseek-ai/DeepSeek-V3.2-Exp", 2025},
    {"DeepSeek-V4: Towards Highly Efficient Million-Token Context Intelligence", "{DeepSeek-AI}", other,
     "arXiv:2606.19348", 2026},
    {"DeltaProduct: Improving State-Tracking in Linear RNNs via Householder Products",
     "Siems, Julien and Carstensen, Timur and Zela, Arber and Hutter, Frank and Pontil, Massimiliano and "
     "Grazzi, Riccardo",
     proceedings, neurips, 2025},
    {"Differential Transformer",
     "Ye, Tianzhu and Dong, Li and Xia, Yuqing and Sun, Yutao and Zhu, Yi and Huang, Gao and Wei, Furu",
     proceedings, iclr, 2025},
    {"Differential Transformer V2", "Ye, Tianzhu and Dong, Li and Sun, Yutao and Wei, Furu", other,
     "https://huggingface.co/blog/microsoft/diff-attn-v2", 2026},
    {"Dissecting Transformer Length Extrapolation via the Lens of Receptive Field Analysis",
     "Chi, Ta-Chung and Fan, Ting-Han and Rudnicky, Alexander I. and Ramadge, Peter J.", proceedings, acl,
     2023},
    {"Do Transformers Really Perform Badly for Graph Representation?",
     "Ying, Chengxuan and Cai, Tianle and Luo, Shengjie and Zheng, Shuxin and Ke, Guolin and He, Di and Shen, "
     "Yanming and Liu, Tie-Yan",
     proceedings, neurips, 2021},
    {"DropKey for Vision Transformer",
     "Li, Bonan and Hu, Yinhan and Nie, Xuecheng and Han, Congying and Jiang, Xiangjian and Guo, Tiande and "
     "Liu, Luoqi",
     proceedings, cvpr, 2023},
    {"Dropout: A Simple Way to Prevent Neural Networks from Overfitting",
     "Srivastava, Nitish and Hinton, Geoffrey and Krizhevsky, Alex and Sutskever, Ilya and Salakhutdinov, "
     "Ruslan",
     journal, jmlr, 2014},
    {"Eagle and Finch: RWKV with Matrix-Valued States and Dynamic Recurrence",
     "Peng, Bo and Goldstein, Daniel and Anthony, Quentin and Albalak, Alon and Alcaide, Eric and Biderman, "
     "Stella and Cheah, Eugene and Du, Xingjian and Ferdinan, Teddy and Hou, Haowen and Kazienko, Przemysław "
     "and GV, Kranthi Kiran and Kocoń, Jan and Koptyra, Bartłomiej and Krishna, Satyapriya and McClelland "
     "Jr., Ronald and Lin, Jiaju and Muennighoff, Niklas and Obeid, Fares and Saito, Atsushi and Song, "
     "Guangyu and Tu, Haoqin and Wirawan, Cahya and Woźniak, Stanisław and Zhang, Ruichong and Zhao, "
     "Bingchen and Zhao, Qihang and Zhou, Peng and Zhu, Jian and Zhu, Rui-Jie",
     proceedings, "Conference on Language Modeling", 2024},
    {"ECA-Net: Efficient Channel Attention for Deep Convolutional Neural Networks",
     "Wang, Qilong and Wu, Banggu and Zhu, Pengfei and Li, Peihua and Zuo, Wangmeng and Hu, Qinghua",
     proceedings, cvpr, 2020},
    {"Effective Approaches to Attention-based Neural Machine Translation",
     "Luong, Minh-Thang and Pham, Hieu and Manning, Christopher D.", proceedings, emnlp, 2015},
    {"Efficient Attention: Attention with Linear Complexities",
     "Shen, Zhuoran and Zhang, Mingyuan and Zhao, Haiyu and Yi, Shuai and Li, Hongsheng", proceedings,
     "IEEE/CVF Winter Conference on Applications of Computer Vision", 2021},
    {"Efficient Content-Based Sparse Attention with Routing Transformers",
     "Roy, Aurko and Saffar, Mohammad and Vaswani, Ashish and Grangier, David", journal,
     "Transactions of the Association for Computational Linguistics", 2021},
    {"Efficient Sequence Packing without Cross-contamination: Accelerating Large Language Models without "
     "Impacting Performance",
     "Krell, Mario Michael and Kosec, Matej and Perez, Sergio P. and Fitzgibbon, Andrew", other,
     "arXiv:2107.02027", 2021},
    {"Efficient Streaming Language Models with Attention Sinks",
     "Xiao, Guangxuan and Tian, Yuandong and Chen, Beidi and Han, Song and Lewis, Mike", proceedings, iclr,
     2024},
    {"Efficiently Scaling Transformer Inference",
     "Pope, Reiner and Douglas, Sholto and Chowdhery, Aakanksha and Devlin, Jacob and Bradbury, James and "
     "Heek, Jonathan and Xiao, Kefan and Agrawal, Shivani and Dean, Jeff",
     proceedings, "Proceedings of Machine Learning and Systems", 2023},
    {"Enhanced LSTM for Natural Language Inference",
     "Chen, Qian and Zhu, Xiaodan and Ling, Zhen-Hua and Wei, Si and Jiang, Hui and Inkpen, Diana",
     proceedings, acl, 2017},
    {"Enhancing the Locality and Breaking the Memory Bottleneck of Transformer on Time Series Forecasting",
     "Li, Shiyang and Jin, Xiaoyong and Xuan, Yao and Zhou, Xiyou and Chen, Wenhu and Wang, Yu-Xiang and "
     "Yan, Xifeng",
     proceedings, neurips, 2019},
    {"Exclusive Self Attention", "Zhai, Shuangfei", other, "arXiv:2603.09078", 2026},
    {"Explicit Sparse Transformer: Concentrated Attention Through Explicit Selection",
     "Zhao, Guangxiang and Lin, Junyang and Zhang, Zhiyuan and Ren, Xuancheng and Su, Qi and Sun, Xu", other,
     "arXiv:1912.11637", 2019},
    {"Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer",
     "Raffel, Colin and Shazeer, Noam and Roberts, Adam and Lee, Katherine and Narang, Sharan and Matena, "
     "Michael and Zhou, Yanqi and Li, Wei and Liu, Peter J.",
     journal, jmlr, 2020},
    {"Extending Context Window of Large Language Models via Positional Interpolation",
     "Chen, Shouyuan and Wong, Sherman and Chen, Liangjian and Tian, Yuandong", other, "arXiv:2306.15595",
     2023},
    {"Fast and Simplex: 2-Simplicial Attention in Triton",
     "Roy, Aurko and Chou, Timothy and Duvvuri, Sai Surya and Chen, Sijia and Yu, Jiecao and Wang, Xiaodong "
     "and Zaheer, Manzil and Anil, Rohan",
     other, "arXiv:2507.02754", 2025},
    {"Fast Transformer Decoding: One Write-Head is All You Need", "Shazeer, Noam", other, "arXiv:1911.02150",
     2019},
    {"Fast Transformers with Clustered Attention",
     "Vyas, Apoorv and Katharopoulos, Angelos and Fleuret, François", proceedings, neurips, 2020},
    {"Fast Video Generation with Sliding Tile Attention",
     "Zhang, Peiyuan and Chen, Yongqi and Su, Runlong and Ding, Hangliang and Stoica, Ion and Liu, "
     "Zhengzhong and Zhang, Hao",
     proceedings, icml, 2025},
    {"Fastformer: Additive Attention Can Be All You Need",
     "Wu, Chuhan and Wu, Fangzhao and Qi, Tao and Huang, Yongfeng and Xie, Xing", other, "arXiv:2108.09084",
     2021},
    {"Flamingo: a Visual Language Model for Few-Shot Learning",
     "Alayrac, Jean-Baptiste and Donahue, Jeff and Luc, Pauline and Miech, Antoine and Barr, Iain and "
     "Hasson, Yana and Lenc, Karel and Mensch, Arthur and Millican, Katherine and Reynolds, Malcolm and "
     "others",
     proceedings, neurips, 2022},
    {"FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness",
     "Dao, Tri and Fu, Daniel Y. and Ermon, Stefano and Rudra, Atri and Ré, Christopher", proceedings,
     neurips, 2022},
    {"FNet: Mixing Tokens with Fourier Transforms",
     "Lee-Thorp, James and Ainslie, Joshua and Eckstein, Ilya and Ontañón, Santiago", proceedings, naacl,
     2022},
    {"Forgetting Transformer: Softmax Attention with a Forget Gate",
     "Lin, Zhixuan and Nikishin, Evgenii and He, Xu Owen and Courville, Aaron", proceedings, iclr, 2025},
    {"Forward Attention in Sequence-to-Sequence Acoustic Modeling for Speech Synthesis",
     "Zhang, Jing-Xuan and Ling, Zhen-Hua and Dai, Li-Rong", proceedings,
     "IEEE International Conference on Acoustics, Speech and Signal Processing", 2018},
    {"From Softmax to Sparsemax: A Sparse Model of Attention and Multi-Label Classification",
     "Martins, André F. T. and Astudillo, Ramón F.", proceedings, icml, 2016},
    {"Functional Interpolation for Relative Positions Improves Long Context Transformers",
     "Li, Shanda and You, Chong and Guruganesh, Guru and Ainslie, Joshua and Ontanon, Santiago and Zaheer, "
     "Manzil and Sanghai, Sumit and Yang, Yiming and Kumar, Sanjiv and Bhojanapalli, Srinadh",
     proceedings, iclr, 2024},
    {"Gated Attention for Large Language Models: Non-linearity, Sparsity, and Attention-Sink-Free",
     "Qiu, Zihan and Wang, Zekun and Zheng, Bo and Huang, Zeyu and Wen, Kaiyue and Yang, Songlin and Men, "
     "Rui and Yu, Le and Huang, Fei and Huang, Suozhi and Liu, Dayiheng and Zhou, Jingren and Lin, Junyang",
     proceedings, neurips, 2025},
    {"Gated Delta Networks: Improving Mamba2 with Delta Rule",
     "Yang, Songlin and Kautz, Jan and Hatamizadeh, Ali", proceedings, iclr, 2025},
    {"Gated DeltaNet-2: Decoupling Erase and Write in Linear Attention",
     "Hatamizadeh, Ali and Choi, Yejin and Kautz, Jan", other, "arXiv:2605.22791", 2026},
    {"Gated Linear Attention Transformers with Hardware-Efficient Training",
     "Yang, Songlin and Wang, Bailin and Shen, Yikang and Panda, Rameswar and Kim, Yoon", proceedings, icml,
     2024},
    {"Gated Slot Attention for Efficient Linear-Time Sequence Modeling",
     "Zhang, Yu and Yang, Songlin and Zhu, Ruijie and Zhang, Yue and Cui, Leyang and Wang, Yiqiao and Wang, "
     "Bolun and Shi, Freda and Wang, Bailin and Bi, Wei and Zhou, Peng and Fu, Guohong",
     proceedings, neurips, 2024},
    {"GCNet: Non-local Networks Meet Squeeze-Excitation Networks and Beyond",
     "Cao, Yue and Xu, Jiarui and Lin, Stephen and Wei, Fangyun and Hu, Han", proceedings,
     "IEEE/CVF International Conference on Computer Vision Workshops", 2019},
    {"Gemma 2: Improving Open Language Models at a Practical Size", "{Gemma Team}", other, "arXiv:2408.00118",
     2024},
    {"Gemma 3 Technical Report", "{Gemma Team}", other, "arXiv:2503.19786", 2025},
    {"Generating Long Sequences with Sparse Transformers",
     "Child, Rewon and Gray, Scott and Radford, Alec and Sutskever, Ilya", other, "arXiv:1904.10509", 2019},
    {"Generating Sequences With Recurrent Neural Networks", "Graves, Alex", other, "arXiv:1308.0850", 2013},
    {"Get To The Point: Summarization with Pointer-Generator Networks",
     "See, Abigail and Liu, Peter J. and Manning, Christopher D.", proceedings, acl, 2017},
    {"GPT-J-6B: A 6 Billion Parameter Autoregressive Language Model", "Wang, Ben and Komatsuzaki, Aran",
     other, "https://github.com/kingoflolz/mesh-transformer-jax", 2021},
    {"GPT-NeoX-20B: An Open-Source Autoregressive Language Model",
     "Black, Sidney and Biderman, Stella and Hallahan, Eric and Anthony, Quentin and Gao, Leo and Golding, "
     "Laurence and He, Horace and Leahy, Connor and McDonell, Kyle and Phang, Jason and Pieler, Michael and "
     "Prashanth, USVSN Sai and Purohit, Shivanshu and Reynolds, Laria and Tow, Jonathan and Wang, Ben and "
     "Weinbach, Samuel",
     proceedings,
     "BigScience Episode #5: Workshop on Challenges and Perspectives in Creating Large Language Models",
     2022},
    {"gpt-oss-120b and gpt-oss-20b Model Card", "{OpenAI}", other, "arXiv:2508.10925", 2025},
    {"GQA: Training Generalized Multi-Query Transformer Models from Multi-Head Checkpoints",
     "Ainslie, Joshua and Lee-Thorp, James and de Jong, Michiel and Zemlyanskiy, Yury and Lebrón, Federico "
     "and Sanghai, Sumit",
     proceedings, emnlp, 2023},
    {"Graph Attention Networks",
     "Veličković, Petar and Cucurull, Guillem and Casanova, Arantxa and Romero, Adriana and Liò, Pietro and "
     "Bengio, Yoshua",
     proceedings, iclr, 2018},
    {"Grokking at the Edge of Numerical Stability",
     "Prieto, Lucas and Barsbey, Melih and Mediano, Pedro A. M. and Birdal, Tolga", proceedings, iclr, 2025},
    {"Hadamard Product for Low-rank Bilinear Pooling",
     "Kim, Jin-Hwa and On, Kyoung-Woon and Lim, Woosang and Kim, Jeonghee and Ha, Jung-Woo and Zhang, "
     "Byoung-Tak",
     proceedings, iclr, 2017},
    {"HGRN2: Gated Linear RNNs with State Expansion",
     "Qin, Zhen and Yang, Songlin and Sun, Weixuan and Shen, Xuyang and Li, Dong and Sun, Weigao and Zhong, "
     "Yiran",
     proceedings, "Conference on Language Modeling", 2024},
    {"Higher-order Linear Attention", "Zhang, Yifan and Qin, Zhen and Wang, Mengdi and Gu, Quanquan", other,
     "arXiv:2510.27258", 2025},
    {"Hopfield Networks is All You Need",
     "Ramsauer, Hubert and Schäfl, Bernhard and Lehner, Johannes and Seidl, Philipp and Widrich, Michael and "
     "Gruber, Lukas and Holzleitner, Markus and Adler, Thomas and Kreil, David and Kopp, Michael K. and "
     "Klambauer, Günter and Brandstetter, Johannes and Hochreiter, Sepp",
     proceedings, iclr, 2021},
    {"How Attentive are Graph Attention Networks?", "Brody, Shaked and Alon, Uri and Yahav, Eran",
     proceedings, iclr, 2022},
    {"Hyperbolic Attention Networks",
     "Gülçehre, Çağlar and Denil, Misha and Malinowski, Mateusz and Razavi, Ali and Pascanu, Razvan and "
     "Hermann, Karl Moritz and Battaglia, Peter and Bapst, Victor and Raposo, David and Santoro, Adam and de "
     "Freitas, Nando",
     proceedings, iclr, 2019},
    {"Improving Transformers with Dynamically Composable Multi-Head Attention",
     "Xiao, Da and Meng, Qingye and Li, Shengping and Yuan, Xingyuan", proceedings, icml, 2024},
    {"Inkling", "{Thinking Machines Lab}", other, "https://huggingface.co/thinkingmachines/Inkling", 2026},
    {"KERPLE: Kernelized Relative Positional Embedding for Length Extrapolation",
     "Chi, Ta-Chung and Fan, Ting-Han and Ramadge, Peter J. and Rudnicky, Alexander I.", proceedings, neurips,
     2022},
    {"Kimi Linear: An Expressive, Efficient Attention Architecture", "{Kimi Team}", other, "arXiv:2510.26692",
     2025},
    {"KIVI: A Tuning-Free Asymmetric 2bit Quantization for KV Cache",
     "Liu, Zirui and Yuan, Jiayi and Jin, Hongye and Zhong, Shaochen and Xu, Zhaozhuo and Braverman, "
     "Vladimir and Chen, Beidi and Hu, Xia",
     proceedings, icml, 2024},
    {"KV Shifting Attention Enhances Language Modeling",
     "Xu, Mingyu and Wang, Bingning and Chen, Weipeng", proceedings, icml, 2025},
    {"LambdaNetworks: Modeling Long-Range Interactions without Attention", "Bello, Irwan", proceedings, iclr,
     2021},
    {"LASER: Attention with Exponential Transformation", "Duvvuri, Sai Surya and Dhillon, Inderjit S.",
     proceedings, icml, 2025},
    {"Learning Structured Text Representations", "Liu, Yang and Lapata, Mirella", journal,
     "Transactions of the Association for Computational Linguistics", 2018},
    {"Learning to (Learn at Test Time): RNNs with Expressive Hidden States",
     "Sun, Yu and Li, Xinhao and Dalal, Karan and Xu, Jiarui and Vikram, Arjun and Zhang, Genghan and Dubois, "
     "Yann and Chen, Xinlei and Wang, Xiaolong and Koyejo, Sanmi and Hashimoto, Tatsunori and Guestrin, "
     "Carlos",
     proceedings, icml, 2025},
    {"Learning with Fenchel-Young Losses", "Blondel, Mathieu and Martins, André F. T. and Niculae, Vlad",
     journal, jmlr, 2020},
    {"Leave No Context Behind: Efficient Infinite Context Transformers with Infini-attention",
     "Munkhdalai, Tsendsuren and Faruqui, Manaal and Gopal, Siddharth", other, "arXiv:2404.07143", 2024},
    {"Linear Transformers Are Secretly Fast Weight Programmers",
     "Schlag, Imanol and Irie, Kazuki and Schmidhuber, Jürgen", proceedings, icml, 2021},
    {"Linear Transformers with Learnable Kernel Functions are Better In-Context Models",
     "Aksenov, Yaroslav and Balagansky, Nikita and Lo Cicero Vaina, Sofia Maria and Shaposhnikov, Boris and "
     "Gorbatovski, Alexey and Gavrilov, Daniil",
     proceedings, acl, 2024},
    {"Linformer: Self-Attention with Linear Complexity",
     "Wang, Sinong and Li, Belinda Z. and Khabsa, Madian and Fang, Han and Ma, Hao", other,
     "arXiv:2006.04768", 2020},
    {"LLM Maybe LongLM: Self-Extend LLM Context Window Without Tuning",
     "Jin, Hongye and Han, Xiaotian and Yang, Jingfeng and Jiang, Zhimeng and Liu, Zirui and Chang, Chia-Yuan "
     "and Chen, Huiyuan and Hu, Xia",
     proceedings, icml, 2024},
    {"Local Linear Attention: An Optimal Interpolation of Linear and Softmax Attention For Test-Time "
     "Regression",
     "Zuo, Yifei and Yin, Yutong and Zeng, Zhichen and Li, Ang and Zhu, Banghua and Wang, Zhaoran",
     proceedings, iclr, 2026},
    {"Location-Relative Attention Mechanisms for Robust Long-Form Speech Synthesis",
     "Battenberg, Eric and Skerry-Ryan, RJ and Mariooryad, Soroosh and Stanton, Daisy and Kao, David and "
     "Shannon, Matt and Bagby, Tom",
     proceedings, "IEEE International Conference on Acoustics, Speech and Signal Processing", 2020},
    {"LoFTR: Detector-Free Local Feature Matching with Transformers",
     "Sun, Jiaming and Shen, Zehong and Wang, Yuang and Bao, Hujun and Zhou, Xiaowei", proceedings, cvpr,
     2021},
    {"Log-Linear Attention",
     "Guo, Han and Yang, Songlin and Goel, Tarushii and Xing, Eric P. and Dao, Tri and Kim, Yoon", other,
     "arXiv:2506.04761", 2025},
    {"Logic and the 2-Simplicial Transformer",
     "Clift, James and Doryn, Dmitry and Murfet, Daniel and Wallbridge, James", proceedings, iclr, 2020},
    {"Long Short-Term Memory-Networks for Machine Reading",
     "Cheng, Jianpeng and Dong, Li and Lapata, Mirella", proceedings, emnlp, 2016},
    {"Longformer: The Long-Document Transformer", "Beltagy, Iz and Peters, Matthew E. and Cohan, Arman",
     other, "arXiv:2004.05150", 2020},
    {"Longhorn: State Space Models are Amortized Online Learners",
     "Liu, Bo and Wang, Rui and Wu, Lemeng and Feng, Yihao and Stone, Peter and Liu, Qiang", proceedings,
     iclr, 2025},
    {"LongNet: Scaling Transformers to 1,000,000,000 Tokens",
     "Ding, Jiayu and Ma, Shuming and Dong, Li and Zhang, Xingxing and Huang, Shaohan and Wang, Wenhui and "
     "Zheng, Nanning and Wei, Furu",
     other, "arXiv:2307.02486", 2023},
    {"LUCID: Attention with Preconditioned Representations",
     "Duvvuri, Sai Surya and Patel, Nirmal and Gupta, Nilesh and Dhillon, Inderjit S.", other,
     "arXiv:2602.10410", 2026},
    {"Luna: Linear Unified Nested Attention",
     "Ma, Xuezhe and Kong, Xiang and Wang, Sinong and Zhou, Chunting and May, Jonathan and Ma, Hao and "
     "Zettlemoyer, Luke",
     proceedings, neurips, 2021},
    {"Mamba: Linear-Time Sequence Modeling with Selective State Spaces", "Gu, Albert and Dao, Tri",
     proceedings, "Conference on Language Modeling", 2024},
    {"MaxViT: Multi-Axis Vision Transformer",
     "Tu, Zhengzhong and Talebi, Hossein and Zhang, Han and Yang, Feng and Milanfar, Peyman and Bovik, Alan "
     "and Li, Yinxiao",
     proceedings, "European Conference on Computer Vision", 2022},
    {"MDN: Parallelizing Stepwise Momentum for Delta Linear Attention",
     "Huang, Yulong and Liu, Xiang and Huang, Hongxiang and Lin, Xiaopeng and Liu, Zunchang and Chu, Xiaowen "
     "and Xie, Zeke and Cheng, Bojun",
     other, "arXiv:2605.05838", 2026},
    {"Memorizing Transformers",
     "Wu, Yuhuai and Rabe, Markus N. and Hutchins, DeLesley and Szegedy, Christian", proceedings, iclr, 2022},
    {"MesaNet: Sequence Modeling by Locally Optimal Test-Time Training",
     "von Oswald, Johannes and Scherrer, Nino and Kobayashi, Seijin and Versari, Luca and Yang, Songlin and "
     "Schlegel, Maximilian and Maile, Kaitlin and Schimpf, Yanick and Sieberling, Oliver and Meulemans, "
     "Alexander and Saurous, Rif A. and Lajoie, Guillaume and Frenkel, Charlotte and Pascanu, Razvan and "
     "Agüera y Arcas, Blaise and Sacramento, João",
     other, "arXiv:2506.05233", 2025},
    {"Mistral 7B",
     "Jiang, Albert Q. and Sablayrolles, Alexandre and Mensch, Arthur and Bamford, Chris and Chaplot, "
     "Devendra Singh and de las Casas, Diego and Bressand, Florian and Lengyel, Gianna and Lample, Guillaume "
     "and Saulnier, Lucile and Renard Lavaud, Lélio and Lachaux, Marie-Anne and Stock, Pierre and Le Scao, "
     "Teven and Lavril, Thibaut and Wang, Thomas and Lacroix, Timothée and El Sayed, William",
     other, "arXiv:2310.06825", 2023},
    {"MoBA: Mixture of Block Attention for Long-Context LLMs",
     "Lu, Enzhe and Jiang, Zhejun and Liu, Jingyuan and Du, Yulun and Jiang, Tao and Hong, Chao and Liu, "
     "Shaowei and He, Weiran and Yuan, Enming and Wang, Yuzhi and Huang, Zhiqi and Yuan, Huan and Xu, Suting "
     "and Xu, Xinran and Lai, Guokun and Chen, Yanru and Zheng, Huabin and Yan, Junjie and Su, Jianlin and "
     "Wu, Yuxin and Zhang, Yutao and Yang, Zhilin and Zhou, Xinyu and Zhang, Mingxing and Qiu, Jiezhong",
     other, "arXiv:2502.13189", 2025},
    {"MobileViT: Light-weight, General-purpose, and Mobile-friendly Vision Transformer",
     "Mehta, Sachin and Rastegari, Mohammad", proceedings, iclr, 2022},
    {"Modeling Coverage for Neural Machine Translation",
     "Tu, Zhaopeng and Lu, Zhengdong and Liu, Yang and Liu, Xiaohua and Li, Hang", proceedings, acl, 2016},
    {"MoH: Multi-Head Attention as Mixture-of-Head Attention",
     "Jin, Peng and Zhu, Bo and Yuan, Li and Yan, Shuicheng", proceedings, icml, 2025},
    {"Monotonic Chunkwise Attention", "Chiu, Chung-Cheng and Raffel, Colin", proceedings, iclr, 2018},
    {"More Expressive Attention with Negative Weights",
     "Lv, Ang and Xie, Ruobing and Li, Shuaipeng and Liao, Jiayi and Sun, Xingwu and Kang, Zhanhui and Wang, "
     "Di and Yan, Rui",
     other, "arXiv:2411.07176", 2024},
    {"Multi-Head Attention: Collaborate Instead of Concatenate",
     "Cordonnier, Jean-Baptiste and Loukas, Andreas and Jaggi, Martin", other, "arXiv:2006.16362", 2020},
    {"Multi-Token Attention", "Golovneva, Olga and Wang, Tianlu and Weston, Jason and Sukhbaatar, Sainbayar",
     other, "arXiv:2504.00927", 2025},
    {"MViTv2: Improved Multiscale Vision Transformers for Classification and Detection",
     "Li, Yanghao and Wu, Chao-Yuan and Fan, Haoqi and Mangalam, Karttikeya and Xiong, Bo and Malik, Jitendra "
     "and Feichtenhofer, Christoph",
     proceedings, cvpr, 2022},
    {"Native Sparse Attention: Hardware-Aligned and Natively Trainable Sparse Attention",
     "Yuan, Jingyang and Gao, Huazuo and Dai, Damai and Luo, Junyu and Zhao, Liang and Zhang, Zhengyan and "
     "Xie, Zhenda and Wei, Yuxing and Wang, Lean and Xiao, Zhiping and Wang, Yuqing and Ruan, Chong and "
     "Zhang, Ming and Liang, Wenfeng and Zeng, Wangding",
     proceedings, acl, 2025},
    {"Neighborhood Attention Transformer",
     "Hassani, Ali and Walton, Steven and Li, Jiachen and Li, Shen and Shi, Humphrey", proceedings, cvpr,
     2023},
    {"Neural Machine Translation (seq2seq) Tutorial", "Luong, Minh-Thang and Brevdo, Eugene and Zhao, Rui",
     other, "https://github.com/tensorflow/nmt", 2017},
    {"Neural Machine Translation by Jointly Learning to Align and Translate",
     "Bahdanau, Dzmitry and Cho, Kyunghyun and Bengio, Yoshua", proceedings, iclr, 2015},
    {"Neural Turing Machines", "Graves, Alex and Wayne, Greg and Danihelka, Ivo", other, "arXiv:1410.5401",
     2014},
    {"Non-local Neural Networks", "Wang, Xiaolong and Girshick, Ross and Gupta, Abhinav and He, Kaiming",
     proceedings, cvpr, 2018},
    {"NormFormer: Improved Transformer Pretraining with Extra Normalization",
     "Shleifer, Sam and Weston, Jason and Ott, Myle", other, "arXiv:2110.09456", 2021},
    {"NTK-Aware Scaled RoPE allows LLaMA models to have extended (8k+) context size without any fine-tuning "
     "and minimal perplexity degradation",
     "{bloc97}", other,
     "https://www.reddit.com/r/LocalLLaMA/comments/14lz7j5/ntkaware_scaled_rope_allows_llama_models_to_have/",
     2023},
    {"Nyströmformer: A Nyström-Based Algorithm for Approximating Self-Attention",
     "Xiong, Yunyang and Zeng, Zhanpeng and Chakraborty, Rudrasis and Tan, Mingxing and Fung, Glenn and Li, "
     "Yin and Singh, Vikas",
     proceedings, "AAAI Conference on Artificial Intelligence", 2021},
    {"Object-Centric Learning with Slot Attention",
     "Locatello, Francesco and Weissenborn, Dirk and Unterthiner, Thomas and Mahendran, Aravindh and "
     "Heigold, Georg and Uszkoreit, Jakob and Dosovitskiy, Alexey and Kipf, Thomas",
     proceedings, neurips, 2020},
    {"On Estimating Regression", "Nadaraya, Elizbar A.", journal,
     "Theory of Probability and Its Applications", 1964},
    {"Online and Linear-Time Attention by Enforcing Monotonic Alignments",
     "Raffel, Colin and Luong, Minh-Thang and Liu, Peter J. and Weiss, Ron J. and Eck, Douglas", proceedings,
     icml, 2017},
    {"Online Normalizer Calculation for Softmax", "Milakov, Maxim and Gimelshein, Natalia", other,
     "arXiv:1805.02867", 2018},
    {"Parallax: Parameterized Local Linear Attention for Language Modeling",
     "Zuo, Yifei and Pai, Dhruv and Zeng, Zhichen and Dewulf, Alec and Hu, Shuming and Wang, Zhaoran", other,
     "arXiv:2605.29157", 2026},
    {"Parallelizing Linear Transformers with the Delta Rule over Sequence Length",
     "Yang, Songlin and Wang, Bailin and Zhang, Yu and Shen, Yikang and Kim, Yoon", proceedings, neurips,
     2024},
    {"PaTH Attention: Position Encoding via Accumulating Householder Transformations",
     "Yang, Songlin and Shen, Yikang and Wen, Kaiyue and Tan, Shawn and Mishra, Mayank and Ren, Liliang and "
     "Panda, Rameswar and Kim, Yoon",
     proceedings, neurips, 2025},
    {"Pay Less Attention with Lightweight and Dynamic Convolutions",
     "Wu, Felix and Fan, Angela and Baevski, Alexei and Dauphin, Yann N. and Auli, Michael", proceedings,
     iclr, 2019},
    {"Perceiver: General Perception with Iterative Attention",
     "Jaegle, Andrew and Gimeno, Felix and Brock, Andy and Vinyals, Oriol and Zisserman, Andrew and "
     "Carreira, João",
     proceedings, icml, 2021},
    {"Polarized Self-Attention: Towards High-quality Pixel-wise Regression",
     "Liu, Huajun and Liu, Fuqiang and Fan, Xinyi and Huang, Dong", other, "arXiv:2107.00782", 2021},
    {"Pyramid Vision Transformer: A Versatile Backbone for Dense Prediction without Convolutions",
     "Wang, Wenhai and Xie, Enze and Li, Xiang and Fan, Deng-Ping and Song, Kaitao and Liang, Ding and Lu, "
     "Tong and Luo, Ping and Shao, Ling",
     proceedings, iccv, 2021},
    {"Quantizable Transformers: Removing Outliers by Helping Attention Heads Do Nothing",
     "Bondarenko, Yelysei and Nagel, Markus and Blankevoort, Tijmen", proceedings, neurips, 2023},
    {"Query-Key Normalization for Transformers",
     "Henry, Alex and Dachapally, Prudhvi Raj and Pawar, Shubham Shantaram and Chen, Yuxuan", proceedings,
     emnlp_findings, 2020},
    {"Quest: Query-Aware Sparsity for Efficient Long-Context LLM Inference",
     "Tang, Jiaming and Zhao, Yilong and Zhu, Kan and Xiao, Guangxuan and Kasikci, Baris and Han, Song",
     proceedings, icml, 2024},
    {"Qwen2-VL: Enhancing Vision-Language Model’s Perception of the World at Any Resolution",
     "Wang, Peng and Bai, Shuai and Tan, Sinan and Wang, Shijie and Fan, Zhihao and Bai, Jinze and Chen, "
     "Keqin and Liu, Xuejing and Wang, Jialin and Ge, Wenbin and others",
     other, "arXiv:2409.12191", 2024},
    {"Qwen3 Technical Report", "{Qwen Team}", other, "arXiv:2505.09388", 2025},
    {"Random-Access Infinite Context Length for Transformers", "Mohtashami, Amirkeivan and Jaggi, Martin",
     proceedings, neurips, 2023},
    {"Rectified Rotary Position Embeddings", "Su, Jianlin", other, "https://github.com/bojone/rerope", 2023},
    {"Reformer: The Efficient Transformer", "Kitaev, Nikita and Kaiser, Łukasz and Levskaya, Anselm",
     proceedings, iclr, 2020},
    {"Replacing softmax with ReLU in Vision Transformers",
     "Wortsman, Mitchell and Lee, Jaehoon and Gilmer, Justin and Kornblith, Simon", other, "arXiv:2309.08586",
     2023},
    {"Retentive Network: A Successor to Transformer for Large Language Models",
     "Sun, Yutao and Dong, Li and Huang, Shaohan and Ma, Shuming and Xia, Yuqing and Xue, Jilong and Wang, "
     "Jianyong and Wei, Furu",
     other, "arXiv:2307.08621", 2023},
    {"Rethinking Attention with Performers",
     "Choromanski, Krzysztof and Likhosherstov, Valerii and Dohan, David and Song, Xingyou and Gane, Andreea "
     "and Sarlos, Tamas and Hawkins, Peter and Davis, Jared and Mohiuddin, Afroz and Kaiser, Łukasz and "
     "Belanger, David and Colwell, Lucy and Weller, Adrian",
     proceedings, iclr, 2021},
    {"Rethinking Positional Encoding in Language Pre-training", "Ke, Guolin and He, Di and Liu, Tie-Yan",
     proceedings, iclr, 2021},
    {"Robust Sequence-to-Sequence Acoustic Modeling with Stepwise Monotonic Attention for Neural TTS",
     "He, Mutian and Deng, Yan and He, Lei", proceedings, "Interspeech", 2019},
    {"RoFormer: Enhanced Transformer with Rotary Position Embedding",
     "Su, Jianlin and Ahmed, Murtadha and Lu, Yu and Pan, Shengfeng and Bo, Wen and Liu, Yunfeng", journal,
     "Neurocomputing", 2024},
    {"Rotary Position Embedding for Vision Transformer",
     "Heo, Byeongho and Park, Song and Han, Dongyoon and Yun, Sangdoo", proceedings,
     "European Conference on Computer Vision", 2024},
    {"Rotate to Attend: Convolutional Triplet Attention Module",
     "Misra, Diganta and Nalamada, Trikay and Arasanipalai, Ajay Uppili and Hou, Qibin", proceedings,
     "IEEE/CVF Winter Conference on Applications of Computer Vision", 2021},
    {"Round and Round We Go! What Makes Rotary Positional Encodings Useful?",
     "Barbero, Federico and Vitvitskyi, Alex and Perivolaropoulos, Christos and Pascanu, Razvan and "
     "Veličković, Petar",
     proceedings, iclr, 2025},
    {"RWKV-7 “Goose” with Expressive Dynamic State Evolution",
     "Peng, Bo and Zhang, Ruichong and Goldstein, Daniel and Alcaide, Eric and Du, Xingjian and Hou, Haowen "
     "and Lin, Jiaju and Liu, Jiaxing and Lu, Janna and Merrill, William and Song, Guangyu and Tan, Kaifeng "
     "and Utpala, Saiteja and Wilce, Nathan and Wind, Johan S. and Wu, Tianyi and Wuttke, Daniel and "
     "Zhou-Zheng, Christian",
     other, "arXiv:2503.14456", 2025},
    {"RWKV: Reinventing RNNs for the Transformer Era",
     "Peng, Bo and Alcaide, Eric and Anthony, Quentin and Albalak, Alon and Arcadinho, Samuel and Biderman, "
     "Stella and Cao, Huanqi and Cheng, Xin and Chung, Michael and Derczynski, Leon and Du, Xingjian and "
     "Grella, Matteo and GV, Kranthi Kiran and He, Xuzheng and Hou, Haowen and Kazienko, Przemyslaw and "
     "Kocon, Jan and Kong, Jiaming and Koptyra, Bartłomiej and Lau, Hayden and Lin, Jiaju and Mantri, "
     "Krishna Sri Ipsit and Mom, Ferdinand and Saito, Atsushi and Song, Guangyu and Tang, Xiangru and Wind, "
     "Johan S. and Woźniak, Stanisław and Zhang, Zhenyuan and Zhou, Qinghua and Zhu, Jian and Zhu, Rui-Jie",
     proceedings, emnlp_findings, 2023},
    {"SA-Net: Shuffle Attention for Deep Convolutional Neural Networks",
     "Zhang, Qing-Long and Yang, Yu-Bin", proceedings,
     "IEEE International Conference on Acoustics, Speech and Signal Processing", 2021},
    {"Scalable-Softmax Is Superior for Attention", "Nakanishi, Ken M.", other, "arXiv:2501.19399", 2025},
    {"Scaling Context Requires Rethinking Attention",
     "Gelada, Carles and Buckman, Jacob and Zhang, Sean and Bach, Txus", other, "arXiv:2507.04239", 2025},
    {"Scaling Local Self-Attention for Parameter Efficient Visual Backbones",
     "Vaswani, Ashish and Ramachandran, Prajit and Srinivas, Aravind and Parmar, Niki and Hechtman, Blake "
     "and Shlens, Jonathon",
     proceedings, cvpr, 2021},
    {"Scaling Stick-Breaking Attention: An Efficient Implementation and In-depth Study",
     "Tan, Shawn and Yang, Songlin and Courville, Aaron and Panda, Rameswar and Shen, Yikang", proceedings,
     iclr, 2025},
    {"Scaling Vision Transformers to 22 Billion Parameters",
     "Dehghani, Mostafa and Djolonga, Josip and Mustafa, Basil and Padlewski, Piotr and Heek, Jonathan and "
     "Gilmer, Justin and Steiner, Andreas Peter and Caron, Mathilde and Geirhos, Robert and Alabdulmohsin, "
     "Ibrahim and Jenatton, Rodolphe and Beyer, Lucas and Tschannen, Michael and Arnab, Anurag and Wang, "
     "Xiao and Riquelme Ruiz, Carlos and Minderer, Matthias and Puigcerver, Joan and Evci, Utku and Kumar, "
     "Manoj and van Steenkiste, Sjoerd and Elsayed, Gamaleldin Fathy and Mahendran, Aravindh and Yu, Fisher "
     "and Oliver, Avital and Huot, Fantine and Bastings, Jasmijn and Collier, Mark and Gritsenko, Alexey A. "
     "and Birodkar, Vighnesh and Vasconcelos, Cristina Nader and Tay, Yi and Mensink, Thomas and Kolesnikov, "
     "Alexander and Pavetić, Filip and Tran, Dustin and Kipf, Thomas and Lučić, Mario and Zhai, Xiaohua and "
     "Keysers, Daniel and Harmsen, Jeremiah J. and Houlsby, Neil",
     proceedings, icml, 2023},
    {"Scheduled DropHead: A Regularization Method for Transformer Models",
     "Zhou, Wangchunshu and Ge, Tao and Wei, Furu and Zhou, Ming and Xu, Ke", proceedings, emnlp_findings,
     2020},
    {"Segment Anything",
     "Kirillov, Alexander and Mintun, Eric and Ravi, Nikhila and Mao, Hanzi and Rolland, Chloe and Gustafson, "
     "Laura and Xiao, Tete and Whitehead, Spencer and Berg, Alexander C. and Lo, Wan-Yen and Dollár, Piotr "
     "and Girshick, Ross",
     proceedings, iccv, 2023},
    {"Selective Attention Improves Transformer", "Leviathan, Yaniv and Kalman, Matan and Matias, Yossi",
     proceedings, iclr, 2025},
    {"Selective Kernel Networks", "Li, Xiang and Wang, Wenhai and Hu, Xiaolin and Yang, Jian", proceedings,
     cvpr, 2019},
    {"Self-Attention Generative Adversarial Networks",
     "Zhang, Han and Goodfellow, Ian and Metaxas, Dimitris and Odena, Augustus", proceedings, icml, 2019},
    {"Self-Attention with Relative Position Representations",
     "Shaw, Peter and Uszkoreit, Jakob and Vaswani, Ashish", proceedings, naacl, 2018},
    {"Separable Self-attention for Mobile Vision Transformers",
     "Mehta, Sachin and Rastegari, Mohammad", journal, "Transactions on Machine Learning Research", 2023},
    {"Set Transformer: A Framework for Attention-based Permutation-Invariant Neural Networks",
     "Lee, Juho and Lee, Yoonho and Kim, Jungtaek and Kosiorek, Adam R. and Choi, Seungjin and Teh, Yee Whye",
     proceedings, icml, 2019},
    {"Show, Attend and Tell: Neural Image Caption Generation with Visual Attention",
     "Xu, Kelvin and Ba, Jimmy and Kiros, Ryan and Cho, Kyunghyun and Courville, Aaron and Salakhutdinov, "
     "Ruslan and Zemel, Richard and Bengio, Yoshua",
     proceedings, icml, 2015},
    {"SimAM: A Simple, Parameter-Free Attention Module for Convolutional Neural Networks",
     "Yang, Lingxiao and Zhang, Ru-Yuan and Li, Lida and Xie, Xiaohua", proceedings, icml, 2021},
    {"Simple linear attention language models balance the recall-throughput tradeoff",
     "Arora, Simran and Eyuboglu, Sabri and Zhang, Michael and Timalsina, Aman and Alberti, Silas and "
     "Zinsley, Dylan and Zou, James and Rudra, Atri and Ré, Christopher",
     proceedings, icml, 2024},
    {"Simplifying Transformer Blocks", "He, Bobby and Hofmann, Thomas", proceedings, iclr, 2024},
    {"Sinkformers: Transformers with Doubly Stochastic Attention",
     "Sander, Michael E. and Ablin, Pierre and Blondel, Mathieu and Peyré, Gabriel", proceedings,
     "International Conference on Artificial Intelligence and Statistics", 2022},
    {"Skyformer: Remodel Self-Attention with Gaussian Kernel and Nyström Method",
     "Chen, Yifan and Zeng, Qi and Ji, Heng and Yang, Yun", proceedings, neurips, 2021},
    {"Smooth Regression Analysis", "Watson, Geoffrey S.", journal,
     "Sankhyā: The Indian Journal of Statistics, Series A", 1964},
    {"SOFT: Softmax-free Transformer with Linear Complexity",
     "Lu, Jiachen and Yao, Jinghan and Zhang, Junge and Zhu, Xiatian and Xu, Hang and Gao, Weiguo and Xu, "
     "Chunjing and Xiang, Tao and Zhang, Li",
     proceedings, neurips, 2021},
    {"Softpick: No Attention Sink, No Massive Activations with Rectified Softmax",
     "Zuhri, Zayd M. K. and Fuadi, Erland Hilman and Aji, Alham Fikri", other, "arXiv:2504.20966", 2025},
    {"Softplus Attention with Re-weighting Boosts Length Extrapolation in Large Language Models",
     "Gao, Bo and Spratling, Michael W. and Gionfrida, Letizia", proceedings, icml, 2026},
    {"Sparse and Constrained Attention for Neural Machine Translation",
     "Malaviya, Chaitanya and Ferreira, Pedro and Martins, André F. T.", proceedings, acl, 2018},
    {"Sparse Sequence-to-Sequence Models", "Peters, Ben and Niculae, Vlad and Martins, André F. T.",
     proceedings, acl, 2019},
    {"Spatial Group-wise Enhance: Improving Semantic Feature Learning in Convolutional Networks",
     "Li, Xiang and Hu, Xiaolin and Yang, Jian", other, "arXiv:1905.09646", 2019},
    {"SpecInfer: Accelerating Large Language Model Serving with Tree-based Speculative Inference and "
     "Verification",
     "Miao, Xupeng and Oliaro, Gabriele and Zhang, Zhihao and Cheng, Xinhao and Wang, Zeyu and Zhang, "
     "Zhengxin and Wong, Rae Ying Yee and Zhu, Alan and Yang, Lijie and Shi, Xiaoxiang and Shi, Chunan and "
     "Chen, Zhuoming and Arfeen, Daiyaan and Abhyankar, Reyna and Jia, Zhihao",
     proceedings,
     "ACM International Conference on Architectural Support for Programming Languages and Operating Systems",
     2024},
    {"Squeeze-and-Excitation Networks", "Hu, Jie and Shen, Li and Sun, Gang", proceedings, cvpr, 2018},
    {"STACL: Simultaneous Translation with Implicit Anticipation and Controllable Latency using "
     "Prefix-to-Prefix Framework",
     "Ma, Mingbo and Huang, Liang and Xiong, Hao and Zheng, Renjie and Liu, Kaibo and Zheng, Baigong and "
     "Zhang, Chuanqiang and He, Zhongjun and Liu, Hairong and Li, Xing and Wu, Hua and Wang, Haifeng",
     proceedings, acl, 2019},
    {"Structured Attention Networks", "Kim, Yoon and Denton, Carl and Hoang, Luong and Rush, Alexander M.",
     proceedings, iclr, 2017},
    {"Structured Prediction Models via the Matrix-Tree Theorem",
     "Koo, Terry and Globerson, Amir and Carreras, Xavier and Collins, Michael", proceedings,
     "Joint Conference on Empirical Methods in Natural Language Processing and Computational Natural "
     "Language Learning",
     2007},
    {"Swin Transformer V2: Scaling Up Capacity and Resolution",
     "Liu, Ze and Hu, Han and Lin, Yutong and Yao, Zhuliang and Xie, Zhenda and Wei, Yixuan and Ning, Jia "
     "and Cao, Yue and Zhang, Zheng and Dong, Li and Wei, Furu and Guo, Baining",
     proceedings, cvpr, 2022},
    {"Swin Transformer: Hierarchical Vision Transformer using Shifted Windows",
     "Liu, Ze and Lin, Yutong and Cao, Yue and Hu, Han and Wei, Yixuan and Zhang, Zheng and Lin, Stephen and "
     "Guo, Baining",
     proceedings, iccv, 2021},
    {"Symmetric Power Transformers", "Buckman, Jacob and Gelada, Carles and Zhang, Sean", other,
     "https://manifestai.com/articles/symmetric-power-transformers", 2024},
    {"Synthesizer: Rethinking Self-Attention for Transformer Models",
     "Tay, Yi and Bahri, Dara and Metzler, Donald and Juan, Da-Cheng and Zhao, Zhe and Zheng, Che",
     proceedings, icml, 2021},
    {"Talking-Heads Attention",
     "Shazeer, Noam and Lan, Zhenzhong and Cheng, Youlong and Ding, Nan and Hou, Le", other,
     "arXiv:2003.02436", 2020},
    {"Tensor Product Attention Is All You Need",
     "Zhang, Yifan and Liu, Yifeng and Yuan, Huizhuo and Qin, Zhen and Yuan, Yang and Gu, Quanquan and Yao, "
     "Andrew Chi-Chih",
     other, "arXiv:2501.06425", 2025},
    {"The Hidden Attention of Mamba Models", "Ali, Ameen Ali and Zimerman, Itamar and Wolf, Lior",
     proceedings, acl, 2025},
    {"The Lipschitz Constant of Self-Attention", "Kim, Hyunjik and Papamakarios, George and Mnih, Andriy",
     proceedings, icml, 2021},
    {"The Llama 3 Herd of Models", "Grattafiori, Aaron and others", other, "arXiv:2407.21783", 2024},
    {"The Llama 4 herd: The beginning of a new era of natively multimodal AI innovation", "{Meta}", other,
     "https://ai.meta.com/blog/llama-4-multimodal-intelligence/", 2025},
    {"The Shaped Transformer: Attention Models in the Infinite Depth-and-Width Limit",
     "Noci, Lorenzo and Li, Chuning and Li, Mufan Bill and He, Bobby and Hofmann, Thomas and Maddison, Chris "
     "J. and Roy, Daniel M.",
     proceedings, neurips, 2023},
    {"Theory, Analysis, and Best Practices for Sigmoid Self-Attention",
     "Ramapuram, Jason and Danieli, Federico and Dhekane, Eeshan and Weers, Floris and Busbridge, Dan and "
     "Ablin, Pierre and Likhomanenko, Tatiana and Digani, Jagrit and Gu, Zijin and Shidani, Amitis and Webb, "
     "Russ",
     proceedings, iclr, 2025},
    {"Titans: Learning to Memorize at Test Time", "Behrouz, Ali and Zhong, Peilin and Mirrokni, Vahab",
     proceedings, neurips, 2025},
    {"Towards Better Few-Shot and Finetuning Performance with Forgetful Causal Language Models",
     "Liu, Hao and Geng, Xinyang and Lee, Lisa and Mordatch, Igor and Levine, Sergey and Narang, Sharan and "
     "Abbeel, Pieter",
     other, "arXiv:2210.13432", 2022},
    {"Train Short, Test Long: Attention with Linear Biases Enables Input Length Extrapolation",
     "Press, Ofir and Smith, Noah A. and Lewis, Mike", proceedings, iclr, 2022},
    {"Transformer Quality in Linear Time",
     "Hua, Weizhe and Dai, Zihang and Liu, Hanxiao and Le, Quoc V.", proceedings, icml, 2022},
    {"Transformer-XL: Attentive Language Models beyond a Fixed-Length Context",
     "Dai, Zihang and Yang, Zhilin and Yang, Yiming and Carbonell, Jaime and Le, Quoc V. and Salakhutdinov, "
     "Ruslan",
     proceedings, acl, 2019},
    {"Transformers are RNNs: Fast Autoregressive Transformers with Linear Attention",
     "Katharopoulos, Angelos and Vyas, Apoorv and Pappas, Nikolaos and Fleuret, François", proceedings, icml,
     2020},
    {"Transformers are SSMs: Generalized Models and Efficient Algorithms Through Structured State Space "
     "Duality",
     "Dao, Tri and Gu, Albert", proceedings, icml, 2024},
    {"Tropical Attention: Neural Algorithmic Reasoning for Combinatorial Algorithms",
     "Hashemi, Baran and Pasque, Kurt and Teska, Chris and Yoshida, Ruriko", proceedings, neurips, 2025},
    {"UFO-ViT: High Performance Linear Vision Transformer without Softmax", "Song, Jeong-geun", other,
     "arXiv:2109.14382", 2021},
    {"Understanding Transformer from the Perspective of Associative Memory",
     "Zhong, Shu and Xu, Mingyu and Ao, Tenglong and Shi, Guang", other, "arXiv:2505.19488", 2025},
    {"VOLO: Vision Outlooker for Visual Recognition",
     "Yuan, Li and Hou, Qibin and Jiang, Zihang and Feng, Jiashi and Yan, Shuicheng", other,
     "arXiv:2106.13112", 2021},
    {"Wall Attention: Length Generalization With Diagonal Gates", "Averbuch, Timor and Pai, Dhruv and others",
     other, "https://blog.tilderesearch.com/blog/wall-attn", 2026},
    {"Weight Normalization: A Simple Reparameterization to Accelerate Training of Deep Neural Networks",
     "Salimans, Tim and Kingma, Diederik P.", proceedings, neurips, 2016},
    {"XCiT: Cross-Covariance Image Transformers",
     "El-Nouby, Alaaeldin and Touvron, Hugo and Caron, Mathilde and Bojanowski, Piotr and Douze, Matthijs "
     "and Joulin, Armand and Laptev, Ivan and Neverova, Natalia and Synnaeve, Gabriel and Verbeek, Jakob and "
     "Jégou, Hervé",
     proceedings, neurips, 2021},
    {"xLSTM: Extended Long Short-Term Memory",
     "Beck, Maximilian and Pöppel, Korbinian and Spanring, Markus and Auer, Andreas and Prudnikova, "
     "Oleksandra and Kopp, Michael and Klambauer, Günter and Brandstetter, Johannes and Hochreiter, Sepp",
     proceedings, neurips, 2024},
    {"XLNet: Generalized Autoregressive Pretraining for Language Understanding",
     "Yang, Zhilin and Dai, Zihang and Yang, Yiming and Carbonell, Jaime and Salakhutdinov, Ruslan and Le, "
     "Quoc V.",
     proceedings, neurips, 2019},
    {"YaRN: Efficient Context Window Extension of Large Language Models",
     "Peng, Bowen and Quesnelle, Jeffrey and Fan, Honglu and Shippole, Enrico", proceedings, iclr, 2024},
    {"You Only Scan Once: Efficient Multi-dimension Sequential Modeling with LightNet",
     "Qin, Zhen and Mao, Yuxin and Shen, Xuyang and Li, Dong and Zhang, Jing and Dai, Yuchao and Zhong, "
     "Yiran",
     other, "arXiv:2405.21022", 2024},
};

}  // namespace

std::span<const Publication> publications() { return known_publications; }

const Publication* find_publication(std::string_view title) {
    const auto is_called = [&](const Publication& each) {
        const bool is_short_form = each.title.size() > title.size() && each.title.starts_with(title) &&
                                   std::isalnum(static_cast<unsigned char>(each.title[title.size()])) == 0;
        return each.title == title || is_short_form;
    };
    const auto* const found = std::ranges::find_if(known_publications, is_called);
    return found == std::end(known_publications) ? nullptr : found;
}

}  // namespace headlight
