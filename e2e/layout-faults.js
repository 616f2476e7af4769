/* Evaluated in a page by the journeys: its value is what is wrong with the layout. */
(() => {
  /** How many characters of a title can be read wherever it stands. */
  const SHORTEST_TITLE = 20;

  /** What is too wide, lies over something else, or leaves a title too little room, as lines of text. */
  const findFaults = () => {
    const faults = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) faults.push(`scrolls sideways by ${scrollWidth - clientWidth} px`);

    const isShown = (element) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.closest('.unseen, svg');
    const told = (node) => node.textContent.trim().replaceAll(/\s+/g, ' ').slice(0, 40);

    /** What cuts off the content of an element: the boxes of itself and of those around it that hide what overflows. */
    const clipsOf = (element) => {
      if (!element) return [];
      if (!clips.has(element)) {
        const around = clipsOf(element.parentElement);
        const isOpen = getComputedStyle(element).overflowX === 'visible';
        clips.set(element, isOpen ? around : [...around, element.getBoundingClientRect()]);
      }
      return clips.get(element);
    };
    const clips = new Map();

    /** The lines of a text as far as they are seen. */
    const linesOf = (text) => {
      const range = document.createRange();
      range.selectNodeContents(text);
      let rects = [...range.getClientRects()];
      for (const box of clipsOf(text.parentElement)) {
        rects = rects.map(({ left, right, top, bottom }) => {
          const [x, y] = [Math.max(left, box.left), Math.max(top, box.top)];
          return new DOMRect(
            x,
            y,
            Math.max(0, Math.min(right, box.right) - x),
            Math.max(0, Math.min(bottom, box.bottom) - y),
          );
        });
      }
      return rects.filter(({ width, height }) => width > 1 && height > 1);
    };

    const texts = [];
    const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode;
      if (text.data.trim() === '' || !isShown(text.parentElement)) continue;
      for (const line of linesOf(text)) texts.push({ text, line });
    }
    texts.sort((a, b) => a.line.top - b.line.top);
    const SLACK = 3;
    for (const [at, { text, line }] of texts.entries()) {
      if (line.right > clientWidth + 1 || line.left < -1) faults.push(`"${told(text)}" leaves the page`);
      for (let next = at + 1; next < texts.length; next++) {
        const { text: other, line: below } = texts[next];
        if (below.top > line.bottom - SLACK) break;
        if (text === other) continue;
        const wide = Math.min(line.right, below.right) - Math.max(line.left, below.left);
        const high = Math.min(line.bottom, below.bottom) - Math.max(line.top, below.top);
        if (wide > SLACK && high > SLACK) faults.push(`"${told(text)}" lies over "${told(other)}"`);
      }
    }

    for (const title of document.querySelectorAll('main a [title], main a[title]')) {
      if (!isShown(title)) continue;
      const isCut = [title, ...title.querySelectorAll('*')].some(
        (part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 1,
      );
      const room = title.clientWidth / (Number.parseFloat(getComputedStyle(title).fontSize) * 0.5);
      if (isCut && room < SHORTEST_TITLE) faults.push(`"${told(title)}" has room for ${Math.floor(room)} characters`);
    }
    return faults;
  };

  return findFaults();
})();
