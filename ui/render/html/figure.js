// Makes each figure of a page answer to the pointer and the arrow keys: the number of the cell that is looked at, and,
// where it has decoding steps, a slider. What it knows of the figure stands as JSON beside the picture.
'use strict';
for (const figure of document.querySelectorAll('figure.headlight')) {
  const svg = figure.querySelector('svg');
  const known = JSON.parse(figure.querySelector('script[type="application/json"]').textContent);
  const reading = figure.querySelector('.reading');
  // A map of parts has for each its place and its words: [x, y, width, height, words].
  const panels = known.panels.map(panel => panel.parts ? {...panel, rows: panel.parts.length}
                                                       : {...panel, numbers: numbersOf(panel.numbers)});
  const shape = name => svg.appendChild(document.createElementNS('http://www.w3.org/2000/svg', name));
  const frame = shape('rect');
  for (const [name, value] of Object.entries({fill: 'none', stroke: known.accent, 'stroke-width': known.unit * 1.5}))
    frame.setAttribute(name, value);
  frame.style.display = 'none';

  function numbersOf(text) {
    // Three bytes each: 0, no number, forbidden or infinite, or four digits, a power of ten and a sign.
    const bytes = Uint8Array.from(atob(text), sign => sign.charCodeAt(0));
    return Float64Array.from({length: bytes.length / 3}, (_, at) => {
      const packed = bytes[3 * at] + 256 * bytes[3 * at + 1] + 65536 * bytes[3 * at + 2];
      if (packed < 4) return [0, NaN, -Infinity, Infinity][packed];
      const size = Math.floor((packed - 4) / 2);
      return (packed % 2 ? -1 : 1) * Number(`${1000 + size % 9000}e${Math.floor(size / 9000) - 330}`);
    });
  }
  const label = (labels, at) => labels[at] ?? String(at + 1);
  function words(panel, number) {
    if (Number.isNaN(number)) return 'no number';
    if (number === -Infinity) return panel.forbidden ?? '−∞';
    const size = Math.abs(number);
    return size !== 0 && (size < 1e-4 || size >= 1e6) ? number.toExponential(3) : String(+number.toPrecision(4));
  }
  function place(rect, panel, row, column, rows = 1, columns = 1) {
    if (panel.parts) {
      ['x', 'y', 'width', 'height'].forEach((name, side) => rect.setAttribute(name, panel.parts[row][side]));
      return;
    }
    const width = panel.w / panel.columns, height = panel.h / panel.rows;
    rect.setAttribute('x', panel.x + column * width);
    rect.setAttribute('y', panel.y + row * height);
    rect.setAttribute('width', columns * width);
    rect.setAttribute('height', rows * height);
  }

  // The cell that is looked at.
  let at = null;
  function look(panel, row, column) {
    const isToCome = panel && panel.steps && row >= Number(figure.querySelector('.steps input').value);
    at = panel && !isToCome ? {panel, row, column} : null;
    frame.style.display = at ? '' : 'none';
    reading.style.visibility = at ? 'visible' : 'hidden';
    if (!at) return;
    place(frame, panel, row, column);
    const number = panel.parts ? NaN : panel.numbers[row * panel.columns + column];
    reading.textContent = panel.parts ? panel.parts[row][4] : (panel.names ? label(panel.names, row * panel.columns + column)
                                       : `${label(panel.rowLabels, row)} → ${label(panel.columnLabels, column)}`)
        + `: ${words(panel, number)}` + (panels.length > 1 && panel.title ? ` (${panel.title})` : '');
    const box = frame.getBoundingClientRect(), whole = figure.getBoundingClientRect();
    const left = Math.min(box.left - whole.left, whole.width - reading.offsetWidth);
    const below = box.bottom - whole.top + 4;
    reading.style.left = `${Math.max(0, left)}px`;
    reading.style.top = `${below}px`;
  }
  svg.addEventListener('pointermove', event => {
    const matrix = svg.getScreenCTM();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const panel = panels.find(each => point.x >= each.x && point.x < each.x + each.w &&
                                      point.y >= each.y && point.y < each.y + each.h);
    const part = panel?.parts?.findLastIndex(([x, y, width, height]) => point.x >= x && point.x < x + width &&
                                                                        point.y >= y && point.y < y + height);
    if (panel?.parts) return part < 0 ? look(null) : look(panel, part, 0);
    panel ? look(panel, Math.floor((point.y - panel.y) / panel.h * panel.rows),
                 Math.floor((point.x - panel.x) / panel.w * panel.columns))
          : look(null);
  });
  svg.addEventListener('pointerleave', () => look(null));
  svg.addEventListener('blur', () => look(null));
  svg.addEventListener('keydown', event => {
    const step = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]}[event.key];
    if (!step || panels.length === 0) return;
    event.preventDefault();
    const {panel, row, column} = at ?? {panel: panels[0], row: -step[0], column: -step[1]};
    if (panel.parts) {
      const next = at ? row + step[0] + step[1] : 0;
      return look(panel, Math.min(panel.rows - 1, Math.max(0, next)), 0);
    }
    look(panel, Math.min(panel.rows - 1, Math.max(0, row + step[0])),
         Math.min(panel.columns - 1, Math.max(0, column + step[1])));
  });

  // Decoding steps: rows that come later are covered.
  const slider = figure.querySelector('.steps input');
  if (slider) {
    const said = figure.querySelector('.steps output');
    const covered = panels.filter(panel => panel.steps).map(panel => {
      const cover = shape('rect'), newest = shape('rect');
      cover.setAttribute('fill', known.background);
      for (const [name, value] of Object.entries({fill: 'none', stroke: known.accent, 'stroke-width': known.unit}))
        newest.setAttribute(name, value);
      return {panel, cover, newest};
    });
    svg.appendChild(frame);
    const show = () => {
      const step = Number(slider.value);
      for (const {panel, cover, newest} of covered) {
        place(cover, panel, step, 0, Math.max(0, panel.rows - step), panel.columns);
        cover.setAttribute('x', panel.labels);  // a word that the decoder has yet to say is not told
        cover.setAttribute('width', panel.x + panel.w - panel.labels);
        place(newest, panel, step - 1, 0, 1, panel.columns);
      }
      said.textContent = `step ${step} of ${slider.max}: ${label(covered[0].panel.rowLabels, step - 1)}`;
    };
    slider.addEventListener('input', show);
    show();
  }
}
