#include "core/catalog/publication_years.h"

namespace headlight {

std::span<const Publication> publications_2024() {
    using enum Publication::Kind;
    using namespace venues;
    static constexpr Publication all[] = {
        {"Actions Speak Louder than Words: Trillion-Parameter Sequential Transducers for Generative "
         "Recommendations",
         "Zhai, Jiaqi and Liao, Lucy and Liu, Xing and Wang, Yueming and Li, Rui and Cao, Xuan and Gao, Leon "
         "and Gong, Zhaojie and Gu, Fangda and He, Jiayuan and Lu, Yinghai and Shi, Yu",
         proceedings, icml, 2024, 0, 2},
        {"Agent Attention: On the Integration of Softmax and Linear Attention",
         "Han, Dongchen and Ye, Tianzhu and Han, Yizeng and Xia, Zhuofan and Pan, Siyuan and Wan, Pengfei "
         "and Song, Shiji and Huang, Gao",
         proceedings, "European Conference on Computer Vision", 2024, 2023},
        {"Bridging the Divide: Reconsidering Softmax and Linear Attention",
         "Han, Dongchen and Pu, Yifan and Xia, Zhuofan and Han, Yizeng and Pan, Xuran and Li, Xiu and Lu, "
         "Jiwen and Song, Shiji and Huang, Gao",
         proceedings, neurips, 2024, 0, 12},
        {"Contextual Position Encoding: Learning to Count What’s Important",
         "Golovneva, Olga and Wang, Tianlu and Weston, Jason and Sukhbaatar, Sainbayar", other,
         "arXiv:2405.18719", 2024},
        {"DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts Language Model",
         "{DeepSeek-AI}", other, "arXiv:2405.04434", 2024},
        {"Eagle and Finch: RWKV with Matrix-Valued States and Dynamic Recurrence",
         "Peng, Bo and Goldstein, Daniel and Anthony, Quentin and Albalak, Alon and Alcaide, Eric and "
         "Biderman, Stella and Cheah, Eugene and Du, Xingjian and Ferdinan, Teddy and Hou, Haowen and "
         "Kazienko, Przemysław and GV, Kranthi Kiran and Kocoń, Jan and Koptyra, Bartłomiej and Krishna, "
         "Satyapriya and McClelland Jr., Ronald and Lin, Jiaju and Muennighoff, Niklas and Obeid, Fares and "
         "Saito, Atsushi and Song, Guangyu and Tu, Haoqin and Wirawan, Cahya and Woźniak, Stanisław and "
         "Zhang, Ruichong and Zhao, Bingchen and Zhao, Qihang and Zhou, Peng and Zhu, Jian and Zhu, Rui-Jie",
         proceedings, "Conference on Language Modeling", 2024, 0, 4},
        {"Efficient Streaming Language Models with Attention Sinks",
         "Xiao, Guangxuan and Tian, Yuandong and Chen, Beidi and Han, Song and Lewis, Mike", proceedings,
         iclr, 2024, 2023, 9},
        {"Flex Attention: A Programming Model for Generating Optimized Attention Kernels",
         "Dong, Juechu and Feng, Boyuan and Guessous, Driss and Liang, Yanbo and He, Horace", other,
         "arXiv:2412.05496", 2024},
        {"Functional Interpolation for Relative Positions Improves Long Context Transformers",
         "Li, Shanda and You, Chong and Guruganesh, Guru and Ainslie, Joshua and Ontanon, Santiago and "
         "Zaheer, Manzil and Sanghai, Sumit and Yang, Yiming and Kumar, Sanjiv and Bhojanapalli, Srinadh",
         proceedings, iclr, 2024, 2023},
        {"Gated Linear Attention Transformers with Hardware-Efficient Training",
         "Yang, Songlin and Wang, Bailin and Shen, Yikang and Panda, Rameswar and Kim, Yoon", proceedings,
         icml, 2024, 2023, 12},
        {"Gated Slot Attention for Efficient Linear-Time Sequence Modeling",
         "Zhang, Yu and Yang, Songlin and Zhu, Ruijie and Zhang, Yue and Cui, Leyang and Wang, Yiqiao and "
         "Wang, Bolun and Shi, Freda and Wang, Bailin and Bi, Wei and Zhou, Peng and Fu, Guohong",
         proceedings, neurips, 2024, 0, 9},
        {"Gemma 2: Improving Open Language Models at a Practical Size", "{Gemma Team}", other,
         "arXiv:2408.00118", 2024},
        {"HGRN2: Gated Linear RNNs with State Expansion",
         "Qin, Zhen and Yang, Songlin and Sun, Weixuan and Shen, Xuyang and Li, Dong and Sun, Weigao and "
         "Zhong, Yiran",
         proceedings, "Conference on Language Modeling", 2024, 0, 4},
        {"HyperAttention: Long-Context Attention in Near-Linear Time",
         "Han, Insu and Jayaram, Rajesh and Karbasi, Amin and Mirrokni, Vahab and Woodruff, David P. and "
         "Zandieh, Amir",
         proceedings, iclr, 2024, 2023},
        {"Improving Transformers with Dynamically Composable Multi-Head Attention",
         "Xiao, Da and Meng, Qingye and Li, Shengping and Yuan, Xingyuan", proceedings, icml, 2024, 0, 5},
        {"KIVI: A Tuning-Free Asymmetric 2bit Quantization for KV Cache",
         "Liu, Zirui and Yuan, Jiayi and Jin, Hongye and Zhong, Shaochen and Xu, Zhaozhuo and Braverman, "
         "Vladimir and Chen, Beidi and Hu, Xia",
         proceedings, icml, 2024},
        {"Leave No Context Behind: Efficient Infinite Context Transformers with Infini-attention",
         "Munkhdalai, Tsendsuren and Faruqui, Manaal and Gopal, Siddharth", other, "arXiv:2404.07143", 2024},
        {"Linear Transformers with Learnable Kernel Functions are Better In-Context Models",
         "Aksenov, Yaroslav and Balagansky, Nikita and Lo Cicero Vaina, Sofia Maria and Shaposhnikov, Boris "
         "and Gorbatovski, Alexey and Gavrilov, Daniil",
         proceedings, acl, 2024, 0, 2},
        {"LLM Maybe LongLM: Self-Extend LLM Context Window Without Tuning",
         "Jin, Hongye and Han, Xiaotian and Yang, Jingfeng and Jiang, Zhimeng and Liu, Zirui and Chang, "
         "Chia-Yuan and Chen, Huiyuan and Hu, Xia",
         proceedings, icml, 2024, 0, 1},
        {"Mamba: Linear-Time Sequence Modeling with Selective State Spaces", "Gu, Albert and Dao, Tri",
         proceedings, "Conference on Language Modeling", 2024, 2023, 12},
        {"MInference 1.0: Accelerating Pre-filling for Long-Context LLMs via Dynamic Sparse Attention",
         "Jiang, Huiqiang and Li, Yucheng and Zhang, Chengruidong and Wu, Qianhui and Luo, Xufang and Ahn, "
         "Surin and Han, Zhenhua and Abdi, Amir H. and Li, Dongsheng and Lin, Chin-Yew and Yang, Yuqing and "
         "Qiu, Lili",
         proceedings, neurips, 2024, 0, 7},
        {"More Expressive Attention with Negative Weights",
         "Lv, Ang and Xie, Ruobing and Li, Shuaipeng and Liao, Jiayi and Sun, Xingwu and Kang, Zhanhui and "
         "Wang, Di and Yan, Rui",
         other, "arXiv:2411.07176", 2024},
        {"Parallelizing Linear Transformers with the Delta Rule over Sequence Length",
         "Yang, Songlin and Wang, Bailin and Zhang, Yu and Shen, Yikang and Kim, Yoon", proceedings, neurips,
         2024},
        {"Quest: Query-Aware Sparsity for Efficient Long-Context LLM Inference",
         "Tang, Jiaming and Zhao, Yilong and Zhu, Kan and Xiao, Guangxuan and Kasikci, Baris and Han, Song",
         proceedings, icml, 2024},
        {"Qwen2-VL: Enhancing Vision-Language Model’s Perception of the World at Any Resolution",
         "Wang, Peng and Bai, Shuai and Tan, Sinan and Wang, Shijie and Fan, Zhihao and Bai, Jinze and Chen, "
         "Keqin and Liu, Xuejing and Wang, Jialin and Ge, Wenbin and others",
         other, "arXiv:2409.12191", 2024},
        {"RoFormer: Enhanced Transformer with Rotary Position Embedding",
         "Su, Jianlin and Ahmed, Murtadha and Lu, Yu and Pan, Shengfeng and Bo, Wen and Liu, Yunfeng",
         journal, "Neurocomputing", 2024, 2021, 4},
        {"Rotary Position Embedding for Vision Transformer",
         "Heo, Byeongho and Park, Song and Han, Dongyoon and Yun, Sangdoo", proceedings,
         "European Conference on Computer Vision", 2024, 0, 3},
        {"Simple linear attention language models balance the recall-throughput tradeoff",
         "Arora, Simran and Eyuboglu, Sabri and Zhang, Michael and Timalsina, Aman and Alberti, Silas and "
         "Zinsley, Dylan and Zou, James and Rudra, Atri and Ré, Christopher",
         proceedings, icml, 2024, 0, 2},
        {"Simplifying Transformer Blocks", "He, Bobby and Hofmann, Thomas", proceedings, iclr, 2024, 2023},
        {"SnapKV: LLM Knows What You are Looking for Before Generation",
         "Li, Yuhong and Huang, Yingbing and Yang, Bowen and Venkitesh, Bharat and Locatelli, Acyr and Ye, "
         "Hanchen and Cai, Tianle and Lewis, Patrick and Chen, Deming",
         proceedings, neurips, 2024},
        {"SparQ Attention: Bandwidth-Efficient LLM Inference",
         "Ribar, Luka and Chelombiev, Ivan and Hudlass-Galley, Luke and Blake, Charlie and Luschi, Carlo and "
         "Orr, Douglas",
         proceedings, icml, 2024, 2023, 12},
        {"SpecInfer: Accelerating Large Language Model Serving with Tree-based Speculative Inference and "
         "Verification",
         "Miao, Xupeng and Oliaro, Gabriele and Zhang, Zhihao and Cheng, Xinhao and Wang, Zeyu and Zhang, "
         "Zhengxin and Wong, Rae Ying Yee and Zhu, Alan and Yang, Lijie and Shi, Xiaoxiang and Shi, Chunan "
         "and Chen, Zhuoming and Arfeen, Daiyaan and Abhyankar, Reyna and Jia, Zhihao",
         proceedings,
         "ACM International Conference on Architectural Support for Programming Languages and Operating "
         "Systems",
         2024, 2023},
        {"STanHop: Sparse Tandem Hopfield Model for Memory-Enhanced Time Series Prediction",
         "Wu, Dennis and Hu, Jerry Yao-Chieh and Li, Weijian and Chen, Bo-Yu and Liu, Han", proceedings, iclr,
         2024, 2023},
        {"SwitchHead: Accelerating Transformers with Mixture-of-Experts Attention",
         "Csordás, Róbert and Piękos, Piotr and Irie, Kazuki and Schmidhuber, Jürgen", proceedings, neurips,
         2024, 2023},
        {"Symmetric Power Transformers", "Buckman, Jacob and Gelada, Carles and Zhang, Sean", other,
         "https://manifestai.com/articles/symmetric-power-transformers", 2024},
        {"The Hedgehog & the Porcupine: Expressive Linear Attentions with Softmax Mimicry",
         "Zhang, Michael and Bhatia, Kush and Kumbong, Hermann and Ré, Christopher", proceedings, iclr, 2024,
         0, 2},
        {"The Llama 3 Herd of Models", "Grattafiori, Aaron and others", other, "arXiv:2407.21783", 2024},
        {"Training-Free Long-Context Scaling of Large Language Models",
         "An, Chenxin and Huang, Fei and Zhang, Jun and Gong, Shansan and Qiu, Xipeng and Zhou, Chang and "
         "Kong, Lingpeng",
         proceedings, icml, 2024, 0, 2},
        {"Transformers are Multi-State RNNs",
         "Oren, Matanel and Hassid, Michael and Yarden, Nir and Adi, Yossi and Schwartz, Roy", proceedings,
         emnlp, 2024},
        {"Transformers are SSMs: Generalized Models and Efficient Algorithms Through Structured State Space "
         "Duality",
         "Dao, Tri and Gu, Albert", proceedings, icml, 2024, 0, 5},
        {"xLSTM: Extended Long Short-Term Memory",
         "Beck, Maximilian and Pöppel, Korbinian and Spanring, Markus and Auer, Andreas and Prudnikova, "
         "Oleksandra and Kopp, Michael and Klambauer, Günter and Brandstetter, Johannes and Hochreiter, Sepp",
         proceedings, neurips, 2024, 0, 5},
        {"YaRN: Efficient Context Window Extension of Large Language Models",
         "Peng, Bowen and Quesnelle, Jeffrey and Fan, Honglu and Shippole, Enrico", proceedings, iclr, 2024,
         2023, 9},
        {"You Only Scan Once: Efficient Multi-dimension Sequential Modeling with LightNet",
         "Qin, Zhen and Mao, Yuxin and Shen, Xuyang and Li, Dong and Zhang, Jing and Dai, Yuchao and Zhong, "
         "Yiran",
         other, "arXiv:2405.21022", 2024},
    };
    return all;
}

}  // namespace headlight
