import { beforeEach } from 'vitest';
import { cleanup } from 'vitest-browser-react';
import '../src/theme/tokens.css';
import '../src/theme/base.css';

// The library does so only before tests of the file that loads it first.
beforeEach(cleanup);
