/** Whether someone is at a part of the page, so that it should not move. */
export const isBeingRead = (region: HTMLElement): boolean =>
  window.scrollY > 0 ||
  region.matches(':hover') ||
  region.contains(document.activeElement) ||
  region.querySelector('[data-current="true"]') !== null;
