#include "core/catalog/publication_years.h"

namespace headlight {

std::span<const Publication> publications_from_2025() {
    using enum Publication::Kind;
    using namespace venues;
    static constexpr Publication all[] = {
        {"Attention Residuals", "{Kimi Team}", other, "arXiv:2603.15031", 2026},
        {"Block Diffusion: Interpolating Between Autoregressive and Diffusion Language Models",
         "Arriola, Marianne and Gokaslan, Aaron and Chiu, Justin T. and Yang, Zhihan and Qi, Zhixuan and "
         "Han, Jiaqi and Sahoo, Subham Sekhar and Kuleshov, Volodymyr",
         proceedings, iclr, 2025},
        {"Causal Attention with Lookahead Keys",
         "Song, Zhuoqing and Sun, Peng and Yuan, Huizhuo and Gu, Quanquan", other, "arXiv:2509.07301", 2025},
        {"Comba: Improving Bilinear RNNs with Closed-loop Control",
         "Hu, Jiaxi and Pan, Yongqi and Du, Jusen and Lan, Disen and Tang, Xiaqiang and Wen, Qingsong and "
         "Liang, Yuxuan and Sun, Weigao",
         other, "arXiv:2506.02475", 2025},
        {"CyFA: Linear Sequence Modeling with Relative-Time-Partitioned Memory",
         "Chen, Yixiao and Yang, Shuojin and Hu, Shi-Min", other, "arXiv:2609.36259", 2026},
        {"Decoupling the “What” and “Where” With Polar Coordinate Positional Embeddings",
         "Gopalakrishnan, Anand and Csordás, Róbert and Schmidhuber, Jürgen and Mozer, Michael C.",
         proceedings, icml, 2026, 2025, 9},
        {"DeepSeek-V3.2-Exp: Boosting Long-Context Efficiency with DeepSeek Sparse Attention",
         "{DeepSeek-AI}", other, "https://github.com/deepseek-ai/DeepSeek-V3.2-Exp", 2025, 0, 9},
        {"DeepSeek-V4: Towards Highly Efficient Million-Token Context Intelligence", "{DeepSeek-AI}", other,
         "arXiv:2606.19348", 2026},
        {"Delta Attention: Fast and Accurate Sparse Attention Inference by Delta Correction",
         "Willette, Jeffrey and Lee, Heejun and Hwang, Sung Ju", proceedings, neurips, 2025},
        {"DeltaProduct: Improving State-Tracking in Linear RNNs via Householder Products",
         "Siems, Julien and Carstensen, Timur and Zela, Arber and Hutter, Frank and Pontil, Massimiliano and "
         "Grazzi, Riccardo",
         proceedings, neurips, 2025, 0, 2},
        {"Differential Transformer",
         "Ye, Tianzhu and Dong, Li and Xia, Yuqing and Sun, Yutao and Zhu, Yi and Huang, Gao and Wei, Furu",
         proceedings, iclr, 2025, 2024},
        {"Differential Transformer V2", "Ye, Tianzhu and Dong, Li and Sun, Yutao and Wei, Furu", other,
         "https://huggingface.co/blog/microsoft/diff-attn-v2", 2026},
        {"DINT Transformer", "Cang, Yueyang and Liu, Yuhang and Zhang, Xiaoteng and Zhao, Erlu and Shi, Li",
         other, "arXiv:2501.17486", 2025},
        {"Exclusive Self Attention", "Zhai, Shuangfei", other, "arXiv:2603.09078", 2026},
        {"Fast and Simplex: 2-Simplicial Attention in Triton",
         "Roy, Aurko and Chou, Timothy and Duvvuri, Sai Surya and Chen, Sijia and Yu, Jiecao and Wang, "
         "Xiaodong and Zaheer, Manzil and Anil, Rohan",
         other, "arXiv:2507.02754", 2025},
        {"Fast Video Generation with Sliding Tile Attention",
         "Zhang, Peiyuan and Chen, Yongqi and Su, Runlong and Ding, Hangliang and Stoica, Ion and Liu, "
         "Zhengzhong and Zhang, Hao",
         proceedings, icml, 2025},
        {"Faster Video Diffusion with Trainable Sparse Attention",
         "Zhang, Peiyuan and Chen, Yongqi and Huang, Haofeng and Lin, Will and Liu, Zhengzhong and Stoica, "
         "Ion and Xing, Eric and Zhang, Hao",
         proceedings, neurips, 2025, 0, 5},
        {"Forgetting Transformer: Softmax Attention with a Forget Gate",
         "Lin, Zhixuan and Nikishin, Evgenii and He, Xu Owen and Courville, Aaron", proceedings, iclr, 2025,
         0, 3},
        {"Fourier Position Embedding: Enhancing Attention’s Periodic Extension for Length Generalization",
         "Hua, Ermo and Jiang, Che and Lv, Xingtai and Zhang, Kaiyan and Sun, Youbang and Fan, Yuchen and "
         "Zhu, "
         "Xuekai and Qi, Biqing and Ding, Ning and Zhou, Bowen",
         proceedings, icml, 2025, 2024, 12},
        {"Gated Attention for Large Language Models: Non-linearity, Sparsity, and Attention-Sink-Free",
         "Qiu, Zihan and Wang, Zekun and Zheng, Bo and Huang, Zeyu and Wen, Kaiyue and Yang, Songlin and "
         "Men, Rui and Yu, Le and Huang, Fei and Huang, Suozhi and Liu, Dayiheng and Zhou, Jingren and Lin, "
         "Junyang",
         proceedings, neurips, 2025},
        {"Gated Delta Networks: Improving Mamba2 with Delta Rule",
         "Yang, Songlin and Kautz, Jan and Hatamizadeh, Ali", proceedings, iclr, 2025, 2024, 12},
        {"Gated DeltaNet-2: Decoupling Erase and Write in Linear Attention",
         "Hatamizadeh, Ali and Choi, Yejin and Kautz, Jan", other, "arXiv:2605.22791", 2026},
        {"Gated KalmaNet: A Fading Memory Layer Through Test-Time Ridge Regression",
         "Peng, Liangzu and Chattopadhyay, Aditya and Zancato, Luca and Nunez, Elvis and Xia, Wei and "
         "Soatto, Stefano",
         proceedings, cvpr, 2026, 2025, 11},
        {"Gemma 3 Technical Report", "{Gemma Team}", other, "arXiv:2503.19786", 2025},
        {"gpt-oss-120b and gpt-oss-20b Model Card", "{OpenAI}", other, "arXiv:2508.10925", 2025},
        {"Grokking at the Edge of Numerical Stability",
         "Prieto, Lucas and Barsbey, Melih and Mediano, Pedro A. M. and Birdal, Tolga", proceedings, iclr,
         2025},
        {"Grouped Differential Attention",
         "Lim, Junghwan and Lee, Sungmin and Kim, Dongseok and Cheung, Wai Ting and Kim, Beomgyu and Kim, "
         "Taehwan and Lee, Haesol and Lee, Junhyeok and Oh, Dongpin and Park, Eunhwan",
         other, "arXiv:2510.06949", 2025},
        {"Hardware-Efficient Attention for Fast Decoding", "Zadouri, Ted and Strauss, Hubert and Dao, Tri",
         other, "arXiv:2505.21487", 2025},
        {"Higher-order Linear Attention", "Zhang, Yifan and Qin, Zhen and Wang, Mengdi and Gu, Quanquan",
         other, "arXiv:2510.27258", 2025},
        {"Inkling", "{Thinking Machines Lab}", other, "https://huggingface.co/thinkingmachines/Inkling",
         2026},
        {"Interleaved Head Attention",
         "Duvvuri, Sai Surya and Ekbote, Chanakya and Bansal, Rachit and Tiwari, Rishabh and Khatri, Devvrit "
         "and Brandfonbrener, David and Liang, Paul and Dhillon, Inderjit and Zaheer, Manzil",
         other, "arXiv:2602.21371", 2026},
        {"Kimi Linear: An Expressive, Efficient Attention Architecture", "{Kimi Team}", other,
         "arXiv:2510.26692", 2025},
        {"KV Shifting Attention Enhances Language Modeling",
         "Xu, Mingyu and Wang, Bingning and Chen, Weipeng", proceedings, icml, 2025, 2024},
        {"LASER: Attention with Exponential Transformation", "Duvvuri, Sai Surya and Dhillon, Inderjit S.",
         proceedings, icml, 2025, 2024},
        {"Learning to (Learn at Test Time): RNNs with Expressive Hidden States",
         "Sun, Yu and Li, Xinhao and Dalal, Karan and Xu, Jiarui and Vikram, Arjun and Zhang, Genghan and "
         "Dubois, Yann and Chen, Xinlei and Wang, Xiaolong and Koyejo, Sanmi and Hashimoto, Tatsunori and "
         "Guestrin, Carlos",
         proceedings, icml, 2025, 2024},
        {"Local Linear Attention: An Optimal Interpolation of Linear and Softmax Attention For Test-Time "
         "Regression",
         "Zuo, Yifei and Yin, Yutong and Zeng, Zhichen and Li, Ang and Zhu, Banghua and Wang, Zhaoran",
         proceedings, iclr, 2026, 2025},
        {"Log-Linear Attention",
         "Guo, Han and Yang, Songlin and Goel, Tarushii and Xing, Eric P. and Dao, Tri and Kim, Yoon",
         proceedings, iclr, 2026, 2025},
        {"Longhorn: State Space Models are Amortized Online Learners",
         "Liu, Bo and Wang, Rui and Wu, Lemeng and Feng, Yihao and Stone, Peter and Liu, Qiang", proceedings,
         iclr, 2025, 2024, 7},
        {"LUCID: Attention with Preconditioned Representations",
         "Duvvuri, Sai Surya and Patel, Nirmal and Gupta, Nilesh and Dhillon, Inderjit S.", other,
         "arXiv:2602.10410", 2026},
        {"Mamba-3: Improved Sequence Modeling using State Space Principles",
         "Lahoti, Aakash and Li, Kevin Y. and Chen, Berlin and Wang, Caitlin and Bick, Aviv and Kolter, J. "
         "Zico and Dao, Tri and Gu, Albert",
         proceedings, iclr, 2026},
        {"MDN: Parallelizing Stepwise Momentum for Delta Linear Attention",
         "Huang, Yulong and Liu, Xiang and Huang, Hongxiang and Lin, Xiaopeng and Liu, Zunchang and Chu, "
         "Xiaowen and Xie, Zeke and Cheng, Bojun",
         other, "arXiv:2605.05838", 2026},
        {"MesaNet: Sequence Modeling by Locally Optimal Test-Time Training",
         "von Oswald, Johannes and Scherrer, Nino and Kobayashi, Seijin and Versari, Luca and Yang, Songlin "
         "and Schlegel, Maximilian and Maile, Kaitlin and Schimpf, Yanick and Sieberling, Oliver and "
         "Meulemans, Alexander and Saurous, Rif A. and Lajoie, Guillaume and Frenkel, Charlotte and Pascanu, "
         "Razvan and Agüera y Arcas, Blaise and Sacramento, João",
         proceedings, iclr, 2026, 2025, 6},
        {"MiniMax Sparse Attention",
         "Lai, Xunhao and Xu, Weiqi and Yang, Yufeng and Chen, Qiaorui and Xu, Yang and Zeng, Lunbin and Li, "
         "Xiaolong and Sun, Haohai and Zhu, Haichao and Zhang, Vito and Hu, Jinkai and Li, Jiayao and Gao, "
         "Rui "
         "and Li, Zekun and Zhu, Songquan and Zhou, Jingkai and Zhao, Pengyu",
         other, "arXiv:2606.13392", 2026},
        {"MiniMax-01: Scaling Foundation Models with Lightning Attention", "{MiniMax}", other,
         "arXiv:2501.08313", 2025},
        {"Mixture of Sparse Attention: Content-Based Learnable Sparse Attention via Expert-Choice Routing",
         "Piękos, Piotr and Csordás, Róbert and Schmidhuber, Jürgen", other, "arXiv:2505.00315", 2025},
        {"MoBA: Mixture of Block Attention for Long-Context LLMs",
         "Lu, Enzhe and Jiang, Zhejun and Liu, Jingyuan and Du, Yulun and Jiang, Tao and Hong, Chao and Liu, "
         "Shaowei and He, Weiran and Yuan, Enming and Wang, Yuzhi and Huang, Zhiqi and Yuan, Huan and Xu, "
         "Suting and Xu, Xinran and Lai, Guokun and Chen, Yanru and Zheng, Huabin and Yan, Junjie and Su, "
         "Jianlin and Wu, Yuxin and Zhang, Yutao and Yang, Zhilin and Zhou, Xinyu and Zhang, Mingxing and "
         "Qiu, Jiezhong",
         proceedings, neurips, 2025, 0, 2},
        {"MoH: Multi-Head Attention as Mixture-of-Head Attention",
         "Jin, Peng and Zhu, Bo and Yuan, Li and Yan, Shuicheng", proceedings, icml, 2025, 2024, 10},
        {"MoM: Linear Sequence Modeling with Mixture-of-Memories",
         "Du, Jusen and Sun, Weigao and Lan, Disen and Hu, Jiaxi and Cheng, Yu", proceedings, iclr, 2026,
         2025},
        {"Motif 3: Technical Report",
         "Lim, Junghwan and Chung, Joon Son and Lee, Sungmin and Cheung, Wai Ting and Cho, Gihun and Ha, "
         "Minsu and Kang, Sangho and Kim, Beomgyu and Kim, Dongseok and Kim, Jangwoong and others",
         other, "arXiv:2608.09119", 2026},
        {"Multi-head Temporal Latent Attention", "Deng, Keqi and Woodland, Philip C.", proceedings, neurips,
         2025, 0, 5},
        {"Multi-matrix Factorization Attention",
         "Hu, Jingcheng and Li, Houyi and Zhang, Yinmin and Wang, Zili and Zhou, Shuigeng and Zhang, Xiangyu "
         "and Shum, Heung-Yeung and Jiang, Daxin",
         proceedings, "Findings of the Association for Computational Linguistics: ACL", 2025, 2024},
        {"Multi-Token Attention",
         "Golovneva, Olga and Wang, Tianlu and Weston, Jason and Sukhbaatar, Sainbayar", other,
         "arXiv:2504.00927", 2025},
        {"Native Hybrid Attention for Efficient Sequence Modeling",
         "Du, Jusen and Hu, Jiaxi and Zhang, Tao and Sun, Weigao and Cheng, Yu", proceedings, acl, 2026,
         2025},
        {"Native Sparse Attention: Hardware-Aligned and Natively Trainable Sparse Attention",
         "Yuan, Jingyang and Gao, Huazuo and Dai, Damai and Luo, Junyu and Zhao, Liang and Zhang, Zhengyan "
         "and Xie, Zhenda and Wei, Yuxing and Wang, Lean and Xiao, Zhiping and Wang, Yuqing and Ruan, Chong "
         "and Zhang, Ming and Liang, Wenfeng and Zeng, Wangding",
         proceedings, acl, 2025, 0, 2},
        {"Parallax: Parameterized Local Linear Attention for Language Modeling",
         "Zuo, Yifei and Pai, Dhruv and Zeng, Zhichen and Dewulf, Alec and Hu, Shuming and Wang, Zhaoran",
         other, "arXiv:2605.29157", 2026},
        {"PaTH Attention: Position Encoding via Accumulating Householder Transformations",
         "Yang, Songlin and Shen, Yikang and Wen, Kaiyue and Tan, Shawn and Mishra, Mayank and Ren, Liliang "
         "and Panda, Rameswar and Kim, Yoon",
         proceedings, neurips, 2025, 0, 5},
        {"PolaFormer: Polarity-aware Linear Attention for Vision Transformers",
         "Meng, Weikang and Luo, Yadan and Li, Xin and Jiang, Dongmei and Zhang, Zheng", proceedings, iclr,
         2025, 0, 1},
        {"Preconditioned DeltaNet: Curvature-aware Sequence Modeling for Linear Recurrences",
         "Tumma, Neehal and Loo, Noel and Rus, Daniela", proceedings, icml, 2026},
        {"Qwen3 Technical Report", "{Qwen Team}", other, "arXiv:2505.09388", 2025},
        {"Radial Attention: O(n log n) Sparse Attention with Energy Decay for Long Video Generation",
         "Li, Xingyang and Li, Muyang and Cai, Tianle and Xi, Haocheng and Yang, Shuo and Lin, Yujun and "
         "Zhang, Lvmin and Yang, Songlin and Hu, Jinbo and Peng, Kelly and Agrawala, Maneesh and Stoica, Ion "
         "and Keutzer, Kurt and Han, Song",
         proceedings, neurips, 2025},
        {"Raven: High-Recall Sequence Modeling with Sparse Memory Routing",
         "Afzal, Arshia and Bick, Aviv and Xing, Eric P. and Cevher, Volkan and Gu, Albert", other,
         "arXiv:2607.25357", 2026},
        {"Rectifying Magnitude Neglect in Linear Attention",
         "Fan, Qihang and Huang, Huaibo and Ai, Yuang and He, Ran", proceedings, iccv, 2025, 0, 7},
        {"Rodimus*: Breaking the Accuracy-Efficiency Trade-Off with Efficient Attentions",
         "He, Zhihao and Yu, Hang and Gong, Zi and Liu, Shizhan and Li, Jianguo and Lin, Weiyao", proceedings,
         iclr, 2025, 2024, 10},
        {"Round and Round We Go! What Makes Rotary Positional Encodings Useful?",
         "Barbero, Federico and Vitvitskyi, Alex and Perivolaropoulos, Christos and Pascanu, Razvan and "
         "Veličković, Petar",
         proceedings, iclr, 2025, 2024, 10},
        {"RWKV-7 “Goose” with Expressive Dynamic State Evolution",
         "Peng, Bo and Zhang, Ruichong and Goldstein, Daniel and Alcaide, Eric and Du, Xingjian and Hou, "
         "Haowen and Lin, Jiaju and Liu, Jiaxing and Lu, Janna and Merrill, William and Song, Guangyu and "
         "Tan, Kaifeng and Utpala, Saiteja and Wilce, Nathan and Wind, Johan S. and Wu, Tianyi and Wuttke, "
         "Daniel and Zhou-Zheng, Christian",
         proceedings, "Conference on Language Modeling", 2025, 0, 3},
        {"SageAttention: Accurate 8-Bit Attention for Plug-and-play Inference Acceleration",
         "Zhang, Jintao and Wei, Jia and Zhang, Pengle and Zhu, Jun and Chen, Jianfei", proceedings, iclr,
         2025, 2024},
        {"Scalable-Softmax Is Superior for Attention", "Nakanishi, Ken M.", other, "arXiv:2501.19399", 2025},
        {"Scaling Context Requires Rethinking Attention",
         "Gelada, Carles and Buckman, Jacob and Zhang, Sean and Bach, Txus", other, "arXiv:2507.04239", 2025},
        {"Scaling Stick-Breaking Attention: An Efficient Implementation and In-depth Study",
         "Tan, Shawn and Yang, Songlin and Courville, Aaron and Panda, Rameswar and Shen, Yikang",
         proceedings, iclr, 2025, 2024},
        {"SeerAttention: Self-distilled Attention Gating for Efficient Long-context Prefilling",
         "Gao, Yizhao and Zeng, Zhichen and Du, Dayou and Cao, Shijie and Zhou, Peiyuan and Qi, Jiaxing and "
         "Lai, Junjie and So, Hayden Kwok-Hay and Cao, Ting and Yang, Fan and Yang, Mao",
         proceedings, neurips, 2025, 2024, 10},
        {"Selective Attention Improves Transformer", "Leviathan, Yaniv and Kalman, Matan and Matias, Yossi",
         proceedings, iclr, 2025, 2024, 10},
        {"SLA: Beyond Sparsity in Diffusion Transformers via Fine-Tunable Sparse-Linear Attention",
         "Zhang, Jintao and Wang, Haoxu and Jiang, Kai and Yang, Shuo and Zheng, Kaiwen and Xi, Haocheng and "
         "Wang, Ziteng and Zhu, Hongzhou and Zhao, Min and Stoica, Ion and Gonzalez, Joseph E. and Zhu, Jun "
         "and Chen, Jianfei",
         proceedings, iclr, 2026, 2025, 9},
        {"Softpick: No Attention Sink, No Massive Activations with Rectified Softmax",
         "Zuhri, Zayd M. K. and Fuadi, Erland Hilman and Aji, Alham Fikri", other, "arXiv:2504.20966", 2025},
        {"Softplus Attention with Re-weighting Boosts Length Extrapolation in Large Language Models",
         "Gao, Bo and Spratling, Michael W. and Gionfrida, Letizia", proceedings, icml, 2026, 2025},
        {"Sparse VideoGen: Accelerating Video Diffusion Transformers with Spatial-Temporal Sparsity",
         "Xi, Haocheng and Yang, Shuo and Zhao, Yilong and Xu, Chenfeng and Li, Muyang and Li, Xiuyu and "
         "Lin, Yujun and Cai, Han and Zhang, Jintao and Li, Dacheng and Chen, Jianfei and Stoica, Ion and "
         "Keutzer, Kurt and Han, Song",
         proceedings, icml, 2025, 0, 2},
        {"T5Gemma 2: Seeing, Reading, and Understanding Longer",
         "Zhang, Biao and Suganthan, Paul and Liu, Gaël and Philippov, Ilya and Dua, Sahil and others", other,
         "arXiv:2512.14856", 2025},
        {"Tensor Product Attention Is All You Need",
         "Zhang, Yifan and Liu, Yifeng and Yuan, Huizhuo and Qin, Zhen and Yuan, Yang and Gu, Quanquan and "
         "Yao, Andrew Chi-Chih",
         other, "arXiv:2501.06425", 2025},
        {"The Hidden Attention of Mamba Models", "Ali, Ameen Ali and Zimerman, Itamar and Wolf, Lior",
         proceedings, acl, 2025, 2024},
        {"The Llama 4 herd: The beginning of a new era of natively multimodal AI innovation", "{Meta}", other,
         "https://ai.meta.com/blog/llama-4-multimodal-intelligence/", 2025},
        {"Theory, Analysis, and Best Practices for Sigmoid Self-Attention",
         "Ramapuram, Jason and Danieli, Federico and Dhekane, Eeshan and Weers, Floris and Busbridge, Dan "
         "and Ablin, Pierre and Likhomanenko, Tatiana and Digani, Jagrit and Gu, Zijin and Shidani, Amitis "
         "and Webb, Russ",
         proceedings, iclr, 2025, 2024, 9},
        {"Titans: Learning to Memorize at Test Time", "Behrouz, Ali and Zhong, Peilin and Mirrokni, Vahab",
         proceedings, neurips, 2025, 0, 1},
        {"TokenFormer: Rethinking Transformer Scaling with Tokenized Model Parameters",
         "Wang, Haiyang and Fan, Yue and Naeem, Muhammad Ferjad and Xian, Yongqin and Lenssen, Jan Eric and "
         "Wang, Liwei and Tombari, Federico and Schiele, Bernt",
         proceedings, iclr, 2025, 2024},
        {"Trainable Dynamic Mask Sparse Attention",
         "Shi, Jingze and Wu, Yifan and Wu, Bingheng and Peng, Yiran and Wang, Liangdong and Liu, Guang and "
         "Luo, Yuyu",
         other, "arXiv:2508.02124", 2025},
        {"Tropical Attention: Neural Algorithmic Reasoning for Combinatorial Algorithms",
         "Hashemi, Baran and Pasque, Kurt and Teska, Chris and Yoshida, Ruriko", proceedings, neurips, 2025},
        {"Twilight: Adaptive Attention Sparsity with Hierarchical Top-p Pruning",
         "Lin, Chaofan and Tang, Jiaming and Yang, Shuo and Wang, Hanshuo and Tang, Tian and Tian, Boyu and "
         "Stoica, Ion and Han, Song and Gao, Mingyu",
         proceedings, neurips, 2025, 0, 2},
        {"Understanding Transformer from the Perspective of Associative Memory",
         "Zhong, Shu and Xu, Mingyu and Ao, Tenglong and Shi, Guang", other, "arXiv:2505.19488", 2025},
        {"Value Residual Learning",
         "Zhou, Zhanchao and Wu, Tianyi and Jiang, Zhiyun and Obeid, Fares and Lan, Zhenzhong", proceedings,
         acl, 2025, 2024},
        {"Wall Attention: Length Generalization With Diagonal Gates",
         "Averbuch, Timor and Pai, Dhruv and others", other, "https://blog.tilderesearch.com/blog/wall-attn",
         2026},
        {"XAttention: Block Sparse Attention with Antidiagonal Scoring",
         "Xu, Ruyi and Xiao, Guangxuan and Huang, Haofeng and Guo, Junxian and Han, Song", proceedings, icml,
         2025, 0, 3},
        {"x-transformers", "Wang, Phil", other, "https://github.com/lucidrains/x-transformers", 2025},
    };
    return all;
}

}  // namespace headlight
