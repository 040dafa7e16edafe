#include "core/catalog/publication_years.h"

namespace headlight {

std::span<const Publication> publications_2019_to_2020() {
    using enum Publication::Kind;
    using namespace venues;
    static constexpr Publication all[] = {
        {"Adaptive Attention Span in Transformers",
         "Sukhbaatar, Sainbayar and Grave, Edouard and Bojanowski, Piotr and Joulin, Armand", proceedings,
         acl, 2019},
        {"AdderNet: Do We Really Need Multiplications in Deep Learning?",
         "Chen, Hanting and Wang, Yunhe and Xu, Chunjing and Shi, Boxin and Xu, Chao and Tian, Qi and Xu, "
         "Chang",
         proceedings, cvpr, 2020, 2019},
        {"Analyzing Multi-Head Self-Attention: Specialized Heads Do the Heavy Lifting, the Rest Can Be "
         "Pruned",
         "Voita, Elena and Talbot, David and Moiseev, Fedor and Sennrich, Rico and Titov, Ivan", proceedings,
         acl, 2019},
        {"Area Attention", "Li, Yang and Kaiser, Łukasz and Bengio, Samy and Si, Si", proceedings, icml, 2019,
         2018},
        {"Attention on Attention for Image Captioning",
         "Huang, Lun and Wang, Wenmin and Chen, Jie and Wei, Xiao-Yong", proceedings, iccv, 2019},
        {"Augmenting Self-attention with Persistent Memory",
         "Sukhbaatar, Sainbayar and Grave, Edouard and Lample, Guillaume and Jégou, Hervé and Joulin, Armand",
         other, "arXiv:1907.01470", 2019},
        {"Axial Attention in Multidimensional Transformers",
         "Ho, Jonathan and Kalchbrenner, Nal and Weissenborn, Dirk and Salimans, Tim", other,
         "arXiv:1912.12180", 2019},
        {"BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding",
         "Devlin, Jacob and Chang, Ming-Wei and Lee, Kenton and Toutanova, Kristina", proceedings, naacl,
         2019, 2018},
        {"Big Bird: Transformers for Longer Sequences",
         "Zaheer, Manzil and Guruganesh, Guru and Dubey, Kumar Avinava and Ainslie, Joshua and Alberti, "
         "Chris and Ontanon, Santiago and Pham, Philip and Ravula, Anirudh and Wang, Qifan and Yang, Li and "
         "Ahmed, Amr",
         proceedings, neurips, 2020},
        {"Blockwise Self-Attention for Long Document Understanding",
         "Qiu, Jiezhong and Ma, Hao and Levy, Omer and Yih, Wen-tau and Wang, Sinong and Tang, Jie",
         proceedings, emnlp_findings, 2020, 2019},
        {"CCNet: Criss-Cross Attention for Semantic Segmentation",
         "Huang, Zilong and Wang, Xinggang and Huang, Lichao and Huang, Chang and Wei, Yunchao and Liu, "
         "Wenyu",
         proceedings, iccv, 2019, 2018},
        {"Compositional De-Attention Networks",
         "Tay, Yi and Luu, Anh Tuan and Zhang, Aston and Wang, Shuohang and Hui, Siu Cheung", proceedings,
         neurips, 2019},
        {"Dual Attention Network for Scene Segmentation",
         "Fu, Jun and Liu, Jing and Tian, Haijie and Li, Yong and Bao, Yongjun and Fang, Zhiwei and Lu, "
         "Hanqing",
         proceedings, cvpr, 2019, 2018},
        {"ECA-Net: Efficient Channel Attention for Deep Convolutional Neural Networks",
         "Wang, Qilong and Wu, Banggu and Zhu, Pengfei and Li, Peihua and Zuo, Wangmeng and Hu, Qinghua",
         proceedings, cvpr, 2020, 2019},
        {"Enhancing the Locality and Breaking the Memory Bottleneck of Transformer on Time Series "
         "Forecasting",
         "Li, Shiyang and Jin, Xiaoyong and Xuan, Yao and Zhou, Xiyou and Chen, Wenhu and Wang, Yu-Xiang and "
         "Yan, Xifeng",
         proceedings, neurips, 2019},
        {"Encoding Word Order in Complex Embeddings",
         "Wang, Benyou and Zhao, Donghao and Lioma, Christina and Li, Qiuchi and Zhang, Peng and Simonsen, "
         "Jakob "
         "Grue",
         proceedings, iclr, 2020, 2019},
        {"End-to-End Object Detection with Transformers",
         "Carion, Nicolas and Massa, Francisco and Synnaeve, Gabriel and Usunier, Nicolas and Kirillov, "
         "Alexander and Zagoruyko, Sergey",
         proceedings, "European Conference on Computer Vision", 2020},
        {"ETC: Encoding Long and Structured Inputs in Transformers",
         "Ainslie, Joshua and Ontanon, Santiago and Alberti, Chris and Cvicek, Vaclav and Fisher, Zachary "
         "and "
         "Pham, Philip and Ravula, Anirudh and Sanghai, Sumit and Wang, Qifan and Yang, Li",
         proceedings, emnlp, 2020},
        {"Explicit Sparse Transformer: Concentrated Attention Through Explicit Selection",
         "Zhao, Guangxiang and Lin, Junyang and Zhang, Zhiyuan and Ren, Xuancheng and Su, Qi and Sun, Xu",
         other, "arXiv:1912.11637", 2019},
        {"Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer",
         "Raffel, Colin and Shazeer, Noam and Roberts, Adam and Lee, Katherine and Narang, Sharan and "
         "Matena, Michael and Zhou, Yanqi and Li, Wei and Liu, Peter J.",
         journal, jmlr, 2020, 2019},
        {"Fast Transformer Decoding: One Write-Head is All You Need", "Shazeer, Noam", other,
         "arXiv:1911.02150", 2019},
        {"Fast Transformers with Clustered Attention",
         "Vyas, Apoorv and Katharopoulos, Angelos and Fleuret, François", proceedings, neurips, 2020},
        {"GCNet: Non-local Networks Meet Squeeze-Excitation Networks and Beyond",
         "Cao, Yue and Xu, Jiarui and Lin, Stephen and Wei, Fangyun and Hu, Han", proceedings,
         "IEEE/CVF International Conference on Computer Vision Workshops", 2019},
        {"Generating Long Sequences with Sparse Transformers",
         "Child, Rewon and Gray, Scott and Radford, Alec and Sutskever, Ilya", other, "arXiv:1904.10509",
         2019},
        {"Hard-Coded Gaussian Attention for Neural Machine Translation",
         "You, Weiqiu and Sun, Simeng and Iyyer, Mohit", proceedings, acl, 2020},
        {"Hyperbolic Attention Networks",
         "Gülçehre, Çağlar and Denil, Misha and Malinowski, Mateusz and Razavi, Ali and Pascanu, Razvan and "
         "Hermann, Karl Moritz and Battaglia, Peter and Bapst, Victor and Raposo, David and Santoro, Adam "
         "and de Freitas, Nando",
         proceedings, iclr, 2019, 2018},
        {"Learning with Fenchel-Young Losses", "Blondel, Mathieu and Martins, André F. T. and Niculae, Vlad",
         journal, jmlr, 2020, 2019},
        {"Linformer: Self-Attention with Linear Complexity",
         "Wang, Sinong and Li, Belinda Z. and Khabsa, Madian and Fang, Han and Ma, Hao", other,
         "arXiv:2006.04768", 2020},
        {"Location-Relative Attention Mechanisms for Robust Long-Form Speech Synthesis",
         "Battenberg, Eric and Skerry-Ryan, RJ and Mariooryad, Soroosh and Stanton, Daisy and Kao, David and "
         "Shannon, Matt and Bagby, Tom",
         proceedings, "IEEE International Conference on Acoustics, Speech and Signal Processing", 2020, 2019},
        {"Logic and the 2-Simplicial Transformer",
         "Clift, James and Doryn, Dmitry and Murfet, Daniel and Wallbridge, James", proceedings, iclr, 2020,
         2019},
        {"Longformer: The Long-Document Transformer", "Beltagy, Iz and Peters, Matthew E. and Cohan, Arman",
         other, "arXiv:2004.05150", 2020},
        {"Memory Transformer",
         "Burtsev, Mikhail S. and Kuratov, Yuri and Peganov, Anton and Sapunov, Grigory V.", other,
         "arXiv:2006.11527", 2020},
        {"Multi-Head Attention: Collaborate Instead of Concatenate",
         "Cordonnier, Jean-Baptiste and Loukas, Andreas and Jaggi, Martin", other, "arXiv:2006.16362", 2020},
        {"Multi-Scale Self-Attention for Text Classification",
         "Guo, Qipeng and Qiu, Xipeng and Liu, Pengfei and Xue, Xiangyang and Zhang, Zheng", proceedings,
         "AAAI Conference on Artificial Intelligence", 2020, 2019},
        {"MUSE: Parallel Multi-Scale Attention for Sequence to Sequence Learning",
         "Zhao, Guangxiang and Sun, Xu and Xu, Jingjing and Zhang, Zhiyuan and Luo, Liangchen", other,
         "arXiv:1911.09483", 2019},
        {"Normalized Attention Without Probability Cage", "Richter, Oliver and Wattenhofer, Roger", other,
         "arXiv:2005.09561", 2020},
        {"Object-Centric Learning with Slot Attention",
         "Locatello, Francesco and Weissenborn, Dirk and Unterthiner, Thomas and Mahendran, Aravindh and "
         "Heigold, Georg and Uszkoreit, Jakob and Dosovitskiy, Alexey and Kipf, Thomas",
         proceedings, neurips, 2020},
        {"Pay Less Attention with Lightweight and Dynamic Convolutions",
         "Wu, Felix and Fan, Angela and Baevski, Alexei and Dauphin, Yann N. and Auli, Michael", proceedings,
         iclr, 2019},
        {"Query-Key Normalization for Transformers",
         "Henry, Alex and Dachapally, Prudhvi Raj and Pawar, Shubham Shantaram and Chen, Yuxuan", proceedings,
         emnlp_findings, 2020},
        {"Reformer: The Efficient Transformer", "Kitaev, Nikita and Kaiser, Łukasz and Levskaya, Anselm",
         proceedings, iclr, 2020},
        {"Robust Sequence-to-Sequence Acoustic Modeling with Stepwise Monotonic Attention for Neural TTS",
         "He, Mutian and Deng, Yan and He, Lei", proceedings, "Interspeech", 2019},
        {"Scheduled DropHead: A Regularization Method for Transformer Models",
         "Zhou, Wangchunshu and Ge, Tao and Wei, Furu and Zhou, Ming and Xu, Ke", proceedings, emnlp_findings,
         2020},
        {"Selective Kernel Networks", "Li, Xiang and Wang, Wenhai and Hu, Xiaolin and Yang, Jian",
         proceedings, cvpr, 2019},
        {"Self-Attention Generative Adversarial Networks",
         "Zhang, Han and Goodfellow, Ian and Metaxas, Dimitris and Odena, Augustus", proceedings, icml, 2019,
         2018},
        {"Set Transformer: A Framework for Attention-based Permutation-Invariant Neural Networks",
         "Lee, Juho and Lee, Yoonho and Kim, Jungtaek and Kosiorek, Adam R. and Choi, Seungjin and Teh, Yee "
         "Whye",
         proceedings, icml, 2019, 2018},
        {"SMYRF: Efficient Attention Using Asymmetric Clustering",
         "Daras, Giannis and Kitaev, Nikita and Odena, Augustus and Dimakis, Alexandros G.", proceedings,
         neurips, 2020},
        {"Sparse Sequence-to-Sequence Models", "Peters, Ben and Niculae, Vlad and Martins, André F. T.",
         proceedings, acl, 2019},
        {"Sparse Sinkhorn Attention",
         "Tay, Yi and Bahri, Dara and Yang, Liu and Metzler, Donald and Juan, Da-Cheng", proceedings, icml,
         2020},
        {"Spatial Group-wise Enhance: Improving Semantic Feature Learning in Convolutional Networks",
         "Li, Xiang and Hu, Xiaolin and Yang, Jian", other, "arXiv:1905.09646", 2019},
        {"STACL: Simultaneous Translation with Implicit Anticipation and Controllable Latency using "
         "Prefix-to-Prefix Framework",
         "Ma, Mingbo and Huang, Liang and Xiong, Hao and Zheng, Renjie and Liu, Kaibo and Zheng, Baigong and "
         "Zhang, Chuanqiang and He, Zhongjun and Liu, Hairong and Li, Xing and Wu, Hua and Wang, Haifeng",
         proceedings, acl, 2019, 2018},
        {"Talking-Heads Attention",
         "Shazeer, Noam and Lan, Zhenzhong and Cheng, Youlong and Ding, Nan and Hou, Le", other,
         "arXiv:2003.02436", 2020},
        {"Transformer-XL: Attentive Language Models beyond a Fixed-Length Context",
         "Dai, Zihang and Yang, Zhilin and Yang, Yiming and Carbonell, Jaime and Le, Quoc V. and "
         "Salakhutdinov, Ruslan",
         proceedings, acl, 2019},
        {"Transformers are RNNs: Fast Autoregressive Transformers with Linear Attention",
         "Katharopoulos, Angelos and Vyas, Apoorv and Pappas, Nikolaos and Fleuret, François", proceedings,
         icml, 2020},
        {"XLNet: Generalized Autoregressive Pretraining for Language Understanding",
         "Yang, Zhilin and Dai, Zihang and Yang, Yiming and Carbonell, Jaime and Salakhutdinov, Ruslan and "
         "Le, Quoc V.",
         proceedings, neurips, 2019},
    };
    return all;
}

}  // namespace headlight
