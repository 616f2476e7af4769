import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startLive, watchNetwork } from './api/live.ts';
import { App } from './app.tsx';
import './theme/tokens.css';
import './theme/base.css';
import { applyTheme, chosenTheme } from './theme/theme.ts';

applyTheme(chosenTheme());
startLive();
watchNetwork();
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
