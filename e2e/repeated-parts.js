/* Evaluated in a page by the journeys: hides and marks the parts that are like two of those beside them. They stay in their
 * place, so that the page can go on changing them. */
(() => {
  /** So many of one shape are looked at. */
  const ENOUGH = 2;
  const TELLING = new Set(['class', 'role', 'type', 'tabindex']);
  const LENGTHS = /-?[\d.]+(?:px|%)/g;

  /** What axe judges an element by, but for the words in it. */
  const shapeOf = (element) => {
    if (!shapes.has(element)) {
      const attributes = [...element.attributes].map(({ name, value }) => {
        if (name === 'style') return value.replaceAll(LENGTHS, 'length');
        return TELLING.has(name) ? `${name}=${value}` : `${name} ${value.trim() !== ''}`;
      });
      const hasText = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '',
      );
      const parts = [...element.children].map(shapeOf);
      shapes.set(element, `${element.localName} ${attributes.join(';')} ${hasText} (${parts.join(',')})`);
    }
    return shapes.get(element);
  };
  const shapes = new Map();

  const repeatedIn = (element) => {
    const counts = new Map();
    return [...element.children].flatMap((child) => {
      const shape = shapeOf(child);
      const count = (counts.get(shape) ?? 0) + 1;
      counts.set(shape, count);
      return count > ENOUGH ? [child] : repeatedIn(child);
    });
  };

  for (const part of repeatedIn(document.querySelector('main'))) {
    part.style.visibility = 'hidden';
    part.setAttribute('data-repeated', '');
  }
})();
