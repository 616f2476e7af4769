import { type RefObject, useLayoutEffect, useState } from 'react';
import { type Colours, readColours } from './draw.ts';

export interface Surface {
  readonly width: number;
  readonly height: number;
  readonly pixelRatio: number;
  readonly colours: Colours;
}

/** What a drawing in a box depends on besides its data: the size of the box, the screen and the theme. */
export const useSurface = (box: RefObject<HTMLElement | null>): Surface | null => {
  const [surface, setSurface] = useState<Surface | null>(null);
  useLayoutEffect(() => {
    const element = box.current!;
    let stop = new AbortController();
    let [width, height] = [0, 0];
    const measure = (): void => {
      stop.abort();
      stop = new AbortController();
      const { devicePixelRatio: pixelRatio } = window;
      // Tells once that the ratio is no longer this one, as on another screen.
      const ratio = window.matchMedia(`(resolution: ${pixelRatio}dppx)`);
      ratio.addEventListener('change', measure, { signal: stop.signal });
      ({ clientWidth: width, clientHeight: height } = element);
      setSurface({ width, height, pixelRatio, colours: readColours(element) });
    };
    measure();
    const resizing = new ResizeObserver(() => {
      // When it begins to look it also tells the size that was just measured.
      if (element.clientWidth !== width || element.clientHeight !== height) measure();
    });
    resizing.observe(element);
    const scheme = window.matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', measure);
    window.addEventListener('themechange', measure);
    return () => {
      stop.abort();
      resizing.disconnect();
      scheme.removeEventListener('change', measure);
      window.removeEventListener('themechange', measure);
    };
  }, [box]);
  return surface;
};
