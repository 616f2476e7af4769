/** Milliseconds. `1,234.5` has a thousand, as Surefire writes it; `0,5` is a half. */
export const secondsOf = (text: string | undefined): number | null => {
  if (text === undefined || text.trim() === '') return null;
  const plain = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/.test(text.trim())
    ? text.replaceAll(',', '')
    : text.replace(',', '.');
  const seconds = Number(plain);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null;
};
