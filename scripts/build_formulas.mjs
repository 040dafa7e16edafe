// Writes resources/formulas/ID.svg from the TeX of the mechanisms' declarations, so that the program needs no TeX.
// The terms \class{stage-NAME}{...} become groups <g class="stage-NAME">, which light_formula() colours; the TeX
// itself is the <desc>, by which a test notices a formula that was changed and not rendered again.
//
//   npm install --no-save mathjax-full@3
//   headlight list --json | node scripts/build_formulas.mjs [NODE_MODULES]
import fs from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const require = createRequire(path.join(path.resolve(process.argv[2] ?? path.join(root, 'node_modules')), 'x'));
const {mathjax} = require('mathjax-full/js/mathjax.js');
const {TeX} = require('mathjax-full/js/input/tex.js');
const {SVG} = require('mathjax-full/js/output/svg.js');
const {liteAdaptor} = require('mathjax-full/js/adaptors/liteAdaptor.js');
const {RegisterHTMLHandler} = require('mathjax-full/js/handlers/html.js');
for (const tex of ['base/Base', 'ams/Ams', 'html/Html', 'noerrors/NoErrors'])
  require(`mathjax-full/js/input/tex/${tex}Configuration.js`);

const unitsPerEm = 1000;
const pixelsPerEm = 20;

const adaptor = liteAdaptor();
RegisterHTMLHandler(adaptor);
const page = mathjax.document('', {
  InputJax: new TeX({packages: ['base', 'ams', 'html'], formatError: (_, error) => { throw Error(error.message); }}),
  OutputJax: new SVG({fontCache: 'none'}),
});

const escape = text => text.replace(/[&<>]/g, c => ({'&': '&amp;', '<': '&lt;', '>': '&gt;'})[c]);

/** The children of a MathJax node without what only browsers use: its data-* attributes, sizes in ex, groups that say
 *  nothing. Qt's renderer knows no CSS and no nested <svg>. */
function lines(node, indent) {
  const kind = adaptor.kind(node);
  if (!['g', 'path', 'rect'].includes(kind))
    throw new Error(`<${kind}> is not known to Qt's SVG renderer`);
  const attributes = ['class', 'transform', 'd', 'x', 'y', 'width', 'height']
      .map(name => [name, adaptor.getAttribute(node, name)?.trim()])
      .filter(([, value]) => value)
      .map(([name, value]) => ` ${name}="${value}"`)
      .join('');
  if (kind !== 'g')
    return [`${indent}<${kind}${attributes}/>`];
  const children = inner => adaptor.childNodes(node).flatMap(child => lines(child, inner));
  const inside = children(`${indent} `);
  if (inside.length === 0)
    return [];
  return attributes ? [`${indent}<g${attributes}>`, ...inside, `${indent}</g>`] : children(indent);
}

function typeset(id, tex) {
  try {
    return page.convert(tex, {display: true});
  } catch (error) {
    throw new Error(`${id}: ${error.message}: ${tex}`);
  }
}

/** One file: MathJax's drawing at 20 pixels per em, without the sizes in ex that Qt does not know. */
function render(id, tex) {
  const svg = adaptor.firstChild(typeset(id, tex));
  const box = adaptor.getAttribute(svg, 'viewBox').split(' ').map(Number);
  const [width, height] = box.slice(2).map(size => (size / unitsPerEm * pixelsPerEm).toFixed(2));
  const glyphs = adaptor.childNodes(svg).filter(child => adaptor.kind(child) === 'g');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${box.join(' ')}">`,
    ` <title>${id}</title>`,
    ` <desc>${escape(tex)}</desc>`,
    ` <g fill="currentColor">`,
    ...glyphs.flatMap(child => lines(child, '  ')),
    ` </g>`,
    `</svg>`,
    ``,
  ].join('\n');
}

const {mechanisms} = JSON.parse(fs.readFileSync(0, 'utf8'));
const files = new Map(mechanisms.map(({id, formula}) => [`${id}.svg`, render(id, formula)]));

const folder = path.join(root, 'resources/formulas');
fs.mkdirSync(folder, {recursive: true});
for (const stale of fs.readdirSync(folder).filter(name => !files.has(name)))
  fs.unlinkSync(path.join(folder, stale));
for (const [name, svg] of files)
  fs.writeFileSync(path.join(folder, name), svg);
console.log(`${files.size} formulas`);
