// The search of the site: every word that is typed has to be in a section. Words in its heading count most, and
// more where the heading begins with them, in this order, or has no others.

function search(index, typed) {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const spaced = text => (text.match(/[\p{L}\p{N}]+/gu) || []).join(' ');
  const phrase = spaced(typed.toLowerCase());
  if (!words.length) return [];
  const found = [];
  for (const [address, page, heading, text] of index) {
    const head = heading.toLowerCase(), body = text.toLowerCase();
    let score = 0;
    const hasAll = words.every(word => {
      const start = head.indexOf(word);
      const isWord = start >= 0 && (start === 0 || !/[\p{L}\p{N}]/u.test(head[start - 1]));
      score += isWord ? 8 : start >= 0 ? 4 : body.includes(word) ? 1 : 0;
      return start >= 0 || body.includes(word);
    });
    if (!hasAll) continue;
    const name = spaced(head);
    score += name === phrase ? 8 : name.startsWith(phrase) ? 4 : 0;
    const at = Math.max(0, body.indexOf(words[0]) - 60);
    found.push({address, page, heading, score, extract: (at ? '… ' : '') + text.slice(at, at + 180)});
  }
  return found.sort((a, b) => b.score - a.score).slice(0, 50);
}

if (typeof document !== 'undefined') {
  const field = document.getElementById('search');
  const results = document.getElementById('results');
  const article = document.querySelector('article');
  const root = document.querySelector('nav').dataset.root;
  const show = () => {
    const found = search(searchIndex, field.value);
    const isAsked = field.value.trim() !== '';
    results.hidden = !isAsked;
    article.hidden = isAsked;
    results.replaceChildren(...found.map(({address, page, heading, extract}) => {
      const item = document.createElement('li');
      const link = document.createElement('a');
      link.href = root + address;
      link.textContent = heading === page ? page : page + ': ' + heading;
      link.addEventListener('click', () => { field.value = ''; show(); });
      const text = document.createElement('p');
      text.textContent = extract;
      item.append(link, text);
      return item;
    }));
    if (isAsked && !found.length) {
      const item = document.createElement('li');
      item.textContent = 'No section has all of these words.';
      results.append(item);
    }
  };
  field.addEventListener('input', show);
  document.addEventListener('keydown', event => {
    if (event.key === '/' && document.activeElement !== field) {
      event.preventDefault();
      field.focus();
    } else if (event.key === 'Escape' && document.activeElement === field) {
      field.value = '';
      show();
    }
  });
  const asked = new URLSearchParams(location.search).get('q');
  if (asked) {
    field.value = asked;
    show();
  }
} else {
  module.exports = search;
}
