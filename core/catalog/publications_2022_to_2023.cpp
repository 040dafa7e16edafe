#include "core/catalog/publication_years.h"

namespace headlight {

std::span<const Publication> publications_2022_to_2023() {
    using enum Publication::Kind;
    using namespace venues;
    static constexpr Publication all[] = {
        {"A Length-Extrapolatable Transformer",
         "Sun, Yutao and Dong, Li and Patra, Barun and Ma, Shuming and Huang, Shaohan and Benhaim, Alon and "
         "Chaudhary, Vishrav and Song, Xia and Wei, Furu",
         proceedings, acl, 2023, 2022},
        {"ABC: Attention with Bounded-memory Control",
         "Peng, Hao and Kasai, Jungo and Pappas, Nikolaos and Yogatama, Dani and Wu, Zhaofeng and Kong, "
         "Lingpeng and Schwartz, Roy and Smith, Noah A.",
         proceedings, acl, 2022, 2021},
        {"Attention Is Off By One", "Miller, Evan", other,
         "https://www.evanmiller.org/attention-is-off-by-one.html", 2023},
        {"BiFormer: Vision Transformer with Bi-Level Routing Attention",
         "Zhu, Lei and Wang, Xinjiang and Ke, Zhanghan and Zhang, Wayne and Lau, Rynson W.H.", proceedings,
         cvpr, 2023},
        {"BLIP-2: Bootstrapping Language-Image Pre-training with Frozen Image Encoders and Large Language "
         "Models",
         "Li, Junnan and Li, Dongxu and Savarese, Silvio and Hoi, Steven", proceedings, icml, 2023},
        {"Compositional Attention: Disentangling Search and Retrieval",
         "Mittal, Sarthak and Raparthy, Sharath Chandra and Rish, Irina and Bengio, Yoshua and Lajoie, "
         "Guillaume",
         proceedings, iclr, 2022, 2021},
        {"Conditional Positional Encodings for Vision Transformers",
         "Chu, Xiangxiang and Tian, Zhi and Zhang, Bo and Wang, Xinlong and Shen, Chunhua", proceedings, iclr,
         2023, 2021, 2},
        {"Contextual Transformer Networks for Visual Recognition",
         "Li, Yehao and Yao, Ting and Pan, Yingwei and Mei, Tao", journal,
         "IEEE Transactions on Pattern Analysis and Machine Intelligence", 2023, 2021, 7},
        {"cosFormer: Rethinking Softmax in Attention",
         "Qin, Zhen and Sun, Weixuan and Deng, Hui and Li, Dongxu and Wei, Yunshen and Lv, Baohong and Yan, "
         "Junjie and Kong, Lingpeng and Zhong, Yiran",
         proceedings, iclr, 2022},
        {"CrossFormer: A Versatile Vision Transformer Hinging on Cross-scale Attention",
         "Wang, Wenxiao and Yao, Lu and Chen, Long and Lin, Binbin and Cai, Deng and He, Xiaofei and Liu, "
         "Wei",
         proceedings, iclr, 2022, 2021, 8},
        {"CSWin Transformer: A General Vision Transformer Backbone with Cross-Shaped Windows",
         "Dong, Xiaoyi and Bao, Jianmin and Chen, Dongdong and Zhang, Weiming and Yu, Nenghai and Yuan, Lu "
         "and "
         "Chen, Dong and Guo, Baining",
         proceedings, cvpr, 2022, 2021, 7},
        {"Deep Transformers without Shortcuts: Modifying Self-attention for Faithful Signal Propagation",
         "He, Bobby and Martens, James and Zhang, Guodong and Botev, Aleksandar and Brock, Andrew and Smith, "
         "Samuel L. and Teh, Yee Whye",
         proceedings, iclr, 2023},
        {"Dilated Neighborhood Attention Transformer", "Hassani, Ali and Shi, Humphrey", other,
         "arXiv:2209.15001", 2022},
        {"Dissecting Transformer Length Extrapolation via the Lens of Receptive Field Analysis",
         "Chi, Ta-Chung and Fan, Ting-Han and Rudnicky, Alexander I. and Ramadge, Peter J.", proceedings, acl,
         2023, 2022, 12},
        {"DropKey for Vision Transformer",
         "Li, Bonan and Hu, Yinhan and Nie, Xuecheng and Han, Congying and Jiang, Xiangjian and Guo, Tiande "
         "and Liu, Luoqi",
         proceedings, cvpr, 2023, 2022},
        {"Efficient Memory Management for Large Language Model Serving with PagedAttention",
         "Kwon, Woosuk and Li, Zhuohan and Zhuang, Siyuan and Sheng, Ying and Zheng, Lianmin and Yu, Cody "
         "Hao and Gonzalez, Joseph E. and Zhang, Hao and Stoica, Ion",
         proceedings, "ACM Symposium on Operating Systems Principles", 2023},
        {"Efficiently Modeling Long Sequences with Structured State Spaces",
         "Gu, Albert and Goel, Karan and Ré, Christopher", proceedings, iclr, 2022, 2021},
        {"Efficiently Scaling Transformer Inference",
         "Pope, Reiner and Douglas, Sholto and Chowdhery, Aakanksha and Devlin, Jacob and Bradbury, James "
         "and Heek, Jonathan and Xiao, Kefan and Agrawal, Shivani and Dean, Jeff",
         proceedings, "Proceedings of Machine Learning and Systems", 2023, 2022},
        {"Energy Transformer",
         "Hoover, Benjamin and Liang, Yuchen and Pham, Bao and Panda, Rameswar and Strobelt, Hendrik and "
         "Chau, "
         "Duen Horng and Zaki, Mohammed J. and Krotov, Dmitry",
         proceedings, neurips, 2023, 0, 2},
        {"EPSANet: An Efficient Pyramid Squeeze Attention Block on Convolutional Neural Network",
         "Zhang, Hu and Zu, Keke and Lu, Jian and Zou, Yuru and Meng, Deyu", proceedings,
         "Asian Conference on Computer Vision", 2022, 2021, 5},
        {"Extending Context Window of Large Language Models via Positional Interpolation",
         "Chen, Shouyuan and Wong, Sherman and Chen, Liangjian and Tian, Yuandong", other, "arXiv:2306.15595",
         2023},
        {"Flamingo: a Visual Language Model for Few-Shot Learning",
         "Alayrac, Jean-Baptiste and Donahue, Jeff and Luc, Pauline and Miech, Antoine and Barr, Iain and "
         "Hasson, Yana and Lenc, Karel and Mensch, Arthur and Millican, Katherine and Reynolds, Malcolm and "
         "others",
         proceedings, neurips, 2022},
        {"Flash-Decoding for Long-Context Inference",
         "Dao, Tri and Haziza, Daniel and Massa, Francisco and Sizov, Grigory", other,
         "https://crfm.stanford.edu/2023/10/12/flashdecoding.html", 2023},
        {"FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness",
         "Dao, Tri and Fu, Daniel Y. and Ermon, Stefano and Rudra, Atri and Ré, Christopher", proceedings,
         neurips, 2022},
        {"FLatten Transformer: Vision Transformer using Focused Linear Attention",
         "Han, Dongchen and Pan, Xuran and Han, Yizeng and Song, Shiji and Huang, Gao", proceedings, iccv,
         2023},
        {"FNet: Mixing Tokens with Fourier Transforms",
         "Lee-Thorp, James and Ainslie, Joshua and Eckstein, Ilya and Ontañón, Santiago", proceedings, naacl,
         2022, 2021, 5},
        {"Focal Modulation Networks", "Yang, Jianwei and Li, Chunyuan and Dai, Xiyang and Gao, Jianfeng",
         proceedings, neurips, 2022, 0, 3},
        {"GPT-NeoX-20B: An Open-Source Autoregressive Language Model",
         "Black, Sidney and Biderman, Stella and Hallahan, Eric and Anthony, Quentin and Gao, Leo and "
         "Golding, Laurence and He, Horace and Leahy, Connor and McDonell, Kyle and Phang, Jason and Pieler, "
         "Michael and Prashanth, USVSN Sai and Purohit, Shivanshu and Reynolds, Laria and Tow, Jonathan and "
         "Wang, Ben and Weinbach, Samuel",
         proceedings,
         "BigScience Episode #5: Workshop on Challenges and Perspectives in Creating Large Language Models",
         2022},
        {"GQA: Training Generalized Multi-Query Transformer Models from Multi-Head Checkpoints",
         "Ainslie, Joshua and Lee-Thorp, James and de Jong, Michiel and Zemlyanskiy, Yury and Lebrón, "
         "Federico and Sanghai, Sumit",
         proceedings, emnlp, 2023},
        {"H2O: Heavy-Hitter Oracle for Efficient Generative Inference of Large Language Models",
         "Zhang, Zhenyu and Sheng, Ying and Zhou, Tianyi and Chen, Tianlong and Zheng, Lianmin and Cai, "
         "Ruisi and Song, Zhao and Tian, Yuandong and Ré, Christopher and Barrett, Clark and Wang, Zhangyang "
         "and Chen, Beidi",
         proceedings, neurips, 2023, 0, 6},
        {"Hierarchically Gated Recurrent Neural Network for Sequence Modeling",
         "Qin, Zhen and Yang, Songlin and Zhong, Yiran", proceedings, neurips, 2023, 0, 11},
        {"How Attentive are Graph Attention Networks?", "Brody, Shaked and Alon, Uri and Yahav, Eran",
         proceedings, iclr, 2022, 2021},
        {"Hyena Hierarchy: Towards Larger Convolutional Language Models",
         "Poli, Michael and Massaroli, Stefano and Nguyen, Eric and Fu, Daniel Y. and Dao, Tri and Baccus, "
         "Stephen and Bengio, Yoshua and Ermon, Stefano and Ré, Christopher",
         proceedings, icml, 2023},
        {"Improving Language Models by Retrieving from Trillions of Tokens",
         "Borgeaud, Sebastian and Mensch, Arthur and Hoffmann, Jordan and Cai, Trevor and Rutherford, Eliza "
         "and others",
         proceedings, icml, 2022, 2021},
        {"KDEformer: Accelerating Transformers via Kernel Density Estimation",
         "Zandieh, Amir and Han, Insu and Daliri, Majid and Karbasi, Amin", proceedings, icml, 2023},
        {"KERPLE: Kernelized Relative Positional Embedding for Length Extrapolation",
         "Chi, Ta-Chung and Fan, Ting-Han and Ramadge, Peter J. and Rudnicky, Alexander I.", proceedings,
         neurips, 2022, 0, 5},
        {"LongNet: Scaling Transformers to 1,000,000,000 Tokens",
         "Ding, Jiayu and Ma, Shuming and Dong, Li and Zhang, Xingxing and Huang, Shaohan and Wang, Wenhui "
         "and Zheng, Nanning and Wei, Furu",
         other, "arXiv:2307.02486", 2023},
        {"MaxViT: Multi-Axis Vision Transformer",
         "Tu, Zhengzhong and Talebi, Hossein and Zhang, Han and Yang, Feng and Milanfar, Peyman and Bovik, "
         "Alan and Li, Yinxiao",
         proceedings, "European Conference on Computer Vision", 2022, 0, 4},
        {"Mega: Moving Average Equipped Gated Attention",
         "Ma, Xuezhe and Zhou, Chunting and Kong, Xiang and He, Junxian and Gui, Liangke and Neubig, Graham "
         "and May, Jonathan and Zettlemoyer, Luke",
         proceedings, iclr, 2023, 2022, 9},
        {"Memorizing Transformers",
         "Wu, Yuhuai and Rabe, Markus N. and Hutchins, DeLesley and Szegedy, Christian", proceedings, iclr,
         2022},
        {"Mistral 7B",
         "Jiang, Albert Q. and Sablayrolles, Alexandre and Mensch, Arthur and Bamford, Chris and Chaplot, "
         "Devendra Singh and de las Casas, Diego and Bressand, Florian and Lengyel, Gianna and Lample, "
         "Guillaume and Saulnier, Lucile and Renard Lavaud, Lélio and Lachaux, Marie-Anne and Stock, Pierre "
         "and Le Scao, Teven and Lavril, Thibaut and Wang, Thomas and Lacroix, Timothée and El Sayed, "
         "William",
         other, "arXiv:2310.06825", 2023},
        {"MetaFormer Is Actually What You Need for Vision",
         "Yu, Weihao and Luo, Mi and Zhou, Pan and Si, Chenyang and Zhou, Yichen and Wang, Xinchao and Feng, "
         "Jiashi and Yan, Shuicheng",
         proceedings, cvpr, 2022, 2021},
        {"MobileViT: Light-weight, General-purpose, and Mobile-friendly Vision Transformer",
         "Mehta, Sachin and Rastegari, Mohammad", proceedings, iclr, 2022, 2021},
        {"Multi Resolution Analysis (MRA) for Approximate Self-Attention",
         "Zeng, Zhanpeng and Pal, Sourav and Kline, Jeffery and Fung, Glenn M. and Singh, Vikas", proceedings,
         icml, 2022, 0, 7},
        {"MViTv2: Improved Multiscale Vision Transformers for Classification and Detection",
         "Li, Yanghao and Wu, Chao-Yuan and Fan, Haoqi and Mangalam, Karttikeya and Xiong, Bo and Malik, "
         "Jitendra and Feichtenhofer, Christoph",
         proceedings, cvpr, 2022, 2021, 12},
        {"Neighborhood Attention Transformer",
         "Hassani, Ali and Walton, Steven and Li, Jiachen and Li, Shen and Shi, Humphrey", proceedings, cvpr,
         2023, 2022},
        {"NTK-Aware Scaled RoPE allows LLaMA models to have extended (8k+) context size without any "
         "fine-tuning and minimal perplexity degradation",
         "{bloc97}", other,
         "https://www.reddit.com/r/LocalLLaMA/comments/14lz7j5/"
         "ntkaware_scaled_rope_allows_llama_models_to_have/",
         2023, 0, 6},
        {"On Sparse Modern Hopfield Model",
         "Hu, Jerry Yao-Chieh and Yang, Donglin and Wu, Dennis and Xu, Chenwei and Chen, Bo-Yu and Liu, Han",
         proceedings, neurips, 2023, 0, 9},
        {"On the Integration of Self-Attention and Convolution",
         "Pan, Xuran and Ge, Chunjiang and Lu, Rui and Song, Shiji and Chen, Guanfu and Huang, Zeyi and "
         "Huang, Gao",
         proceedings, cvpr, 2022, 2021, 11},
        {"On the Parameterization and Initialization of Diagonal State Space Models",
         "Gu, Albert and Goel, Karan and Gupta, Ankit and Ré, Christopher", proceedings, neurips, 2022, 0, 6},
        {"Quantizable Transformers: Removing Outliers by Helping Attention Heads Do Nothing",
         "Bondarenko, Yelysei and Nagel, Markus and Blankevoort, Tijmen", proceedings, neurips, 2023},
        {"Random-Access Infinite Context Length for Transformers", "Mohtashami, Amirkeivan and Jaggi, Martin",
         proceedings, neurips, 2023},
        {"Rectified Rotary Position Embeddings", "Su, Jianlin", other, "https://github.com/bojone/rerope",
         2023},
        {"Replacing softmax with ReLU in Vision Transformers",
         "Wortsman, Mitchell and Lee, Jaehoon and Gilmer, Justin and Kornblith, Simon", other,
         "arXiv:2309.08586", 2023},
        {"Retentive Network: A Successor to Transformer for Large Language Models",
         "Sun, Yutao and Dong, Li and Huang, Shaohan and Ma, Shuming and Xia, Yuqing and Xue, Jilong and "
         "Wang, Jianyong and Wei, Furu",
         other, "arXiv:2307.08621", 2023},
        {"RWKV: Reinventing RNNs for the Transformer Era",
         "Peng, Bo and Alcaide, Eric and Anthony, Quentin and Albalak, Alon and Arcadinho, Samuel and "
         "Biderman, Stella and Cao, Huanqi and Cheng, Xin and Chung, Michael and Derczynski, Leon and Du, "
         "Xingjian and Grella, Matteo and GV, Kranthi Kiran and He, Xuzheng and Hou, Haowen and Kazienko, "
         "Przemyslaw and Kocon, Jan and Kong, Jiaming and Koptyra, Bartłomiej and Lau, Hayden and Lin, Jiaju "
         "and Mantri, Krishna Sri Ipsit and Mom, Ferdinand and Saito, Atsushi and Song, Guangyu and Tang, "
         "Xiangru and Wind, Johan S. and Woźniak, Stanisław and Zhang, Zhenyuan and Zhou, Qinghua and Zhu, "
         "Jian and Zhu, Rui-Jie",
         proceedings, emnlp_findings, 2023, 0, 5},
        {"Scaling Vision Transformers to 22 Billion Parameters",
         "Dehghani, Mostafa and Djolonga, Josip and Mustafa, Basil and Padlewski, Piotr and Heek, Jonathan "
         "and Gilmer, Justin and Steiner, Andreas Peter and Caron, Mathilde and Geirhos, Robert and "
         "Alabdulmohsin, Ibrahim and Jenatton, Rodolphe and Beyer, Lucas and Tschannen, Michael and Arnab, "
         "Anurag and Wang, Xiao and Riquelme Ruiz, Carlos and Minderer, Matthias and Puigcerver, Joan and "
         "Evci, Utku and Kumar, Manoj and van Steenkiste, Sjoerd and Elsayed, Gamaleldin Fathy and "
         "Mahendran, Aravindh and Yu, Fisher and Oliver, Avital and Huot, Fantine and Bastings, Jasmijn and "
         "Collier, Mark and Gritsenko, Alexey A. and Birodkar, Vighnesh and Vasconcelos, Cristina Nader and "
         "Tay, Yi and Mensink, Thomas and Kolesnikov, Alexander and Pavetić, Filip and Tran, Dustin and "
         "Kipf, Thomas and Lučić, Mario and Zhai, Xiaohua and Keysers, Daniel and Harmsen, Jeremiah J. and "
         "Houlsby, Neil",
         proceedings, icml, 2023},
        {"Segment Anything",
         "Kirillov, Alexander and Mintun, Eric and Ravi, Nikhila and Mao, Hanzi and Rolland, Chloe and "
         "Gustafson, Laura and Xiao, Tete and Whitehead, Spencer and Berg, Alexander C. and Lo, Wan-Yen and "
         "Dollár, Piotr and Girshick, Ross",
         proceedings, iccv, 2023},
        {"Separable Self-attention for Mobile Vision Transformers", "Mehta, Sachin and Rastegari, Mohammad",
         journal, "Transactions on Machine Learning Research", 2023, 2022},
        {"Sinkformers: Transformers with Doubly Stochastic Attention",
         "Sander, Michael E. and Ablin, Pierre and Blondel, Mathieu and Peyré, Gabriel", proceedings,
         "International Conference on Artificial Intelligence and Statistics", 2022, 2021, 10},
        {"SwiftFormer: Efficient Additive Attention for Transformer-based Real-time Mobile Vision "
         "Applications",
         "Shaker, Abdelrahman and Maaz, Muhammad and Rasheed, Hanoona and Khan, Salman and Yang, Ming-Hsuan "
         "and Khan, Fahad Shahbaz",
         proceedings, iccv, 2023},
        {"Swin Transformer V2: Scaling Up Capacity and Resolution",
         "Liu, Ze and Hu, Han and Lin, Yutong and Yao, Zhuliang and Xie, Zhenda and Wei, Yixuan and Ning, "
         "Jia and Cao, Yue and Zhang, Zheng and Dong, Li and Wei, Furu and Guo, Baining",
         proceedings, cvpr, 2022, 2021},
        {"The Shaped Transformer: Attention Models in the Infinite Depth-and-Width Limit",
         "Noci, Lorenzo and Li, Chuning and Li, Mufan Bill and He, Bobby and Hofmann, Thomas and Maddison, "
         "Chris J. and Roy, Daniel M.",
         proceedings, neurips, 2023},
        {"Token Merging: Your ViT But Faster",
         "Bolya, Daniel and Fu, Cheng-Yang and Dai, Xiaoliang and Zhang, Peizhao and Feichtenhofer, "
         "Christoph and Hoffman, Judy",
         proceedings, iclr, 2023, 2022, 10},
        {"Towards Better Few-Shot and Finetuning Performance with Forgetful Causal Language Models",
         "Liu, Hao and Geng, Xinyang and Lee, Lisa and Mordatch, Igor and Levine, Sergey and Narang, Sharan "
         "and Abbeel, Pieter",
         other, "arXiv:2210.13432", 2022},
        {"Train Short, Test Long: Attention with Linear Biases Enables Input Length Extrapolation",
         "Press, Ofir and Smith, Noah A. and Lewis, Mike", proceedings, iclr, 2022, 2021, 8},
        {"Transformer Quality in Linear Time", "Hua, Weizhe and Dai, Zihang and Liu, Hanxiao and Le, Quoc V.",
         proceedings, icml, 2022},
        {"Vision Transformer with Deformable Attention",
         "Xia, Zhuofan and Pan, Xuran and Song, Shiji and Li, Li Erran and Huang, Gao", proceedings, cvpr,
         2022},
        {"Visual Attention Network",
         "Guo, Meng-Hao and Lu, Cheng-Ze and Liu, Zheng-Ning and Cheng, Ming-Ming and Hu, Shi-Min", journal,
         "Computational Visual Media", 2023, 2022, 2},
        {"WavLM: Large-Scale Self-Supervised Pre-Training for Full Stack Speech Processing",
         "Chen, Sanyuan and Wang, Chengyi and Chen, Zhengyang and Wu, Yu and Liu, Shujie and Chen, Zhuo and "
         "Li, Jinyu and Kanda, Naoyuki and Yoshioka, Takuya and Xiao, Xiong and others",
         journal, "IEEE Journal of Selected Topics in Signal Processing", 2022, 2021},
    };
    return all;
}

}  // namespace headlight
