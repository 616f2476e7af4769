/** Runs in the page that opens a trace. A clipboard API exists only where the viewer could run, hence `execCommand`. */
export const openTraceScript = `
(() => {
  const main = document.querySelector('main');
  const trace = main.dataset.trace;
  const hindrance = () => {
    if (self.origin === 'null') return 'framed';
    if (!isSecureContext) return 'insecure';
    try {
      return navigator.serviceWorker ? null : 'unsupported';
    } catch {
      return 'unsupported';
    }
  };
  const reason = hindrance();
  if (reason === null) {
    location.replace('/trace-viewer/index.html?trace=' + encodeURIComponent(trace));
    return;
  }
  for (const text of main.querySelectorAll('[data-reason]')) text.hidden = text.dataset.reason !== reason;
  const command = main.querySelector('pre code');
  command.textContent = 'npx playwright show-trace ' + new URL(trace, location.href).href;
  const button = main.querySelector('button');
  button.hidden = false;
  button.addEventListener('click', () => {
    getSelection().selectAllChildren(command);
    button.textContent = document.execCommand('copy') ? 'Copied' : 'Press Ctrl+C';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  main.hidden = false;
})();
`.trim();
