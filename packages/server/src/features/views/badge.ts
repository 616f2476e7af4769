const CHARACTER_PX = 6.6;
const PADDING_PX = 8;
const HEIGHT_PX = 20;
const LONGEST_LABEL = 60;

/** A name and a figure beside each other, as other pages show them. */
export const drawBadge = (name: string, figure: string): string => {
  const label = cut(name);
  const [left, right] = [widthOf(label), widthOf(figure)];
  const width = left + right;
  const text = (middle: number, value: string): string =>
    `<text x="${middle.toFixed(1)}" y="14" text-anchor="middle">${escape(value)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT_PX}" role="img" aria-label="${escape(`${label}: ${figure}`)}">`,
    `<title>${escape(`${name}: ${figure}`)}</title>`,
    `<rect width="${width}" height="${HEIGHT_PX}" rx="3" fill="#24292f"/>`,
    `<path d="M${left} 0h${right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-${right - 3}z" fill="#0550ae"/>`,
    `<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">`,
    text(left / 2, label),
    text(left + right / 2, figure),
    '</g></svg>',
  ].join('');
};

const cut = (name: string): string => {
  const characters = [...name.replaceAll(/\s+/g, ' ')];
  return characters.length > LONGEST_LABEL
    ? `${characters.slice(0, LONGEST_LABEL - 1).join('')}…`
    : characters.join('');
};

const widthOf = (text: string): number => Math.ceil([...text].length * CHARACTER_PX + 2 * PADDING_PX);

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML allows no other control characters, and no half of a pair. */
const escape = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\ufffe\uffff]/gu, '\ufffd')
    .replaceAll(/[&<>"]/g, (character) => ESCAPES[character]!);
