import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/client.ts';
import { startLiveUpdates } from './api/live.ts';
import { App } from './app.tsx';
import './theme/tokens.css';
import './theme/base.css';
import { applyTheme, chosenTheme } from './theme/theme.ts';

applyTheme(chosenTheme());
const root = createRoot(document.getElementById('root')!);
let generation = 0;

const render = (): void =>
  root.render(
    <StrictMode key={generation}>
      <App />
    </StrictMode>,
  );

render();
startLiveUpdates(() => {
  // What a page keeps in its state goes with it, as ids now name other things.
  generation++;
  queryClient.clear();
  render();
});
