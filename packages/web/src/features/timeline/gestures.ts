import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { type Scale, timeAt } from './draw.ts';
import type { ChangeView } from './use-view.ts';
import { pan, type View, zoom } from './view.ts';

/** Nearer to where it began a pointer has not moved. */
const CLICK_PX = 4;
/** Trackpads tell a pinch in small steps, wheels a notch in one large one. */
const wheelFactor = (pixels: number): number => Math.exp(-Math.min(0.4, Math.max(-0.4, pixels * 0.008)));
/** Of a line of a wheel that counts in lines. */
const LINE_PX = 16;

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Gestures {
  readonly scale: Scale | null;
  readonly whole: View;
  readonly change: ChangeView;
  /** Whether there is nothing more to see: then a wheel scrolls the page on. */
  readonly isWhole: boolean;
  readonly onPoint: (at: Point | null) => void;
  readonly onClick: (at: Point) => void;
}

/** Drag and swipe to pan, pinch and wheel to zoom. A wheel alone scrolls the page until the timeline has the focus. */
export const useGestures = (
  box: RefObject<HTMLElement | null>,
  { scale, whole, change, isWhole, onPoint, onClick }: Gestures,
) => {
  const pointers = useRef(new Map<number, Point>());
  const began = useRef<Point | null>(null);

  const zoomAt = (x: number, factor: number): void => {
    if (scale) change((view) => zoom(view, factor, timeAt({ ...scale, view }, x), whole));
  };
  const panBy = (pixels: number): void => {
    if (scale) change((view) => pan(view, (pixels / scale.width) * (view.to - view.from), whole));
  };

  const onWheel = useEffectEvent((event: WheelEvent): void => {
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE_PX;
    const [across, along] = event.shiftKey ? [event.deltaY || event.deltaX, 0] : [event.deltaX, event.deltaY];
    const held = event.ctrlKey || event.metaKey;
    const zooms = held || (box.current!.contains(document.activeElement) && !(isWhole && along > 0));
    if (Math.abs(across) > Math.abs(along)) panBy(across * unit);
    else if (zooms) zoomAt(pointIn(box, event).x, wheelFactor(along * unit));
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const element = box.current!;
    const listen = (event: WheelEvent): void => onWheel(event);
    element.addEventListener('wheel', listen, { passive: false });
    return () => element.removeEventListener('wheel', listen);
  }, [box]);

  const onMove = (event: React.PointerEvent): void => {
    const at = pointIn(box, event);
    const before = pointers.current.get(event.pointerId);
    if (!before) return onPoint(at);
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
    pointers.current.set(event.pointerId, at);
    if (other) {
      began.current = null;
      const distance = Math.max(10, Math.abs(before.x - other.x));
      zoomAt((at.x + other.x) / 2, Math.max(10, Math.abs(at.x - other.x)) / distance);
      return panBy((before.x - at.x) / 2);
    }
    const start = began.current;
    if (start && Math.hypot(at.x - start.x, at.y - start.y) < CLICK_PX) return;
    began.current = null;
    onPoint(null);
    panBy(before.x - at.x);
    // Fingers scroll the rows by themselves.
    if (event.pointerType === 'mouse') box.current!.scrollBy(0, before.y - at.y);
  };

  return {
    onPointerDown: (event: React.PointerEvent) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      pointers.current.set(event.pointerId, pointIn(box, event));
      began.current = pointers.current.size === 1 ? pointIn(box, event) : null;
    },
    onPointerMove: onMove,
    onPointerUp: (event: React.PointerEvent) => {
      pointers.current.delete(event.pointerId);
      if (began.current) onClick(pointIn(box, event));
      began.current = null;
    },
    onPointerCancel: (event: React.PointerEvent) => {
      pointers.current.delete(event.pointerId);
      began.current = null;
    },
    onPointerLeave: () => onPoint(null),
  };
};

const pointIn = (
  box: RefObject<HTMLElement | null>,
  { clientX, clientY }: Pick<MouseEvent, 'clientX' | 'clientY'>,
): Point => {
  const { left, top } = box.current!.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
};
