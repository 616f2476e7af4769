import type { Templates } from './label-errors.ts';

/** Vitest, Jest, Mocha with Chai, and Node itself. */
export const JAVASCRIPT_ERRORS: Templates = {
  'jest: value':
    'Error: expect(received).⟦toBe|toBe|toBe|toMatch⟧(expected)⟦ // Object.is equality| // Object.is equality| // Object.is equality|⟧\n\nExpected⟦||| substring⟧: ⟦"paid"|"shipped"|true|"paid"⟧\nReceived⟦||| string⟧: ⟦"open"|"open"|false|"open ‹n›"⟧\n    at Object.<anonymous> (‹root›/src/order.test.ts:‹line›)\n‹nodeFrames›',
  'jest: numbers':
    'Error: expect(received).⟦toBe|toBe|toBeGreaterThan|toHaveLength⟧(expected)⟦ // Object.is equality| // Object.is equality||⟧\n\nExpected⟦:|:|: >| length:⟧ ‹n›\nReceived⟦:|:|:  | length:⟧ ‹n›\n    at Object.<anonymous> (‹root›/src/⟦cart|order|cart|cart⟧.test.ts:‹line›)\n‹nodeFrames›',
  'jest: diff': `Error: expect(received).toEqual(expected) // deep equality

- Expected  - 1
+ Received  + 1

@@ -‹count›,7 +‹count›,7 @@
  Object {
    "id": ‹n›,
-   "⟦name": "Ada"|price": ‹n›|status": "paid"|status": "shipped"⟧,
+   "⟦name": "Bob"|price": ‹n›|status": "open"|status": "open"⟧,
    "createdAt": "‹iso›",
  }
    at Object.<anonymous> (‹root›/src/order.test.ts:‹line›)
‹nodeFrames›`,
  'jest: mock':
    'Error: expect(jest.fn()).⟦toHaveBeenCalledTimes|toHaveBeenCalledWith⟧(⟦expected|...expected⟧)\n\nExpected⟦ number of calls: ‹n›|: "order-‹n›"⟧\n⟦Received number of calls: ‹n›|Number of calls: 0⟧\n    at Object.<anonymous> (‹root›/src/mail.test.ts:‹line›)',
  'jest: timeout':
    'thrown: "Exceeded timeout of ‹ms› ms for a ⟦test|hook⟧.\nAdd a timeout value to this test to increase the timeout, if this is a long-running test. See https://jestjs.io/docs/api#testname-fn-timeout."\n    at ‹root›/src/slow.test.ts:‹line›',
  'jest: module':
    "Cannot find module '⟦lodash|react-dom/server|../fixtures/order|../fixtures/user⟧' from 'src/cart.test.ts'\n\nRequire stack:\n  src/cart.test.ts\n\n    at Resolver._throwModNotFoundError (‹root›/node_modules/jest-resolve/build/index.js:‹line›)",
  'jest: snapshot':
    'Error: expect(received).toMatchSnapshot()\n\nSnapshot name: `⟦Cart renders|Order renders⟧ 1`\n\n- Snapshot  - ‹count›\n+ Received  + ‹count›\n\n  <div\n-   id="r‹n›"\n+   id="r‹n›"\n  >\n    at Object.<anonymous> (‹root›/src/render.test.tsx:‹line›)',
  'vitest: numbers': `AssertionError: expected ‹n› to be ‹n› // Object.is equality

- Expected
+ Received

- ‹n›
+ ‹n›

 ❯ src/cart.test.ts:‹line›
     ‹row›|
     ‹row›|   expect(⟦cart.total|cart.count⟧).toBe(‹n›);
       |                      ^
     ‹row›| });`,
  'vitest: deep':
    'AssertionError: expected { id: ‹n›, …(‹count›) } to deeply equal { id: ‹n›, …(‹count›) }\n\n- Expected\n+ Received\n\n  {\n-   "⟦sku|total⟧": ‹n›,\n+   "⟦sku|total⟧": ‹n›,\n  }\n\n ❯ src/cart.test.ts:‹line›',
  'vitest: array':
    "AssertionError: expected [ ‹ids› ] to ⟦deeply equal [ ‹ids› ]|include 'u-admin'|have a length of ‹n› but got ‹n›⟧\n ❯ src/users.test.ts:‹line›",
  'vitest: property':
    "TypeError: Cannot read properties of ⟦undefined|undefined|null⟧ (reading '⟦price|name|price⟧')\n ❯ src/cart.ts:‹line›\n ❯ src/cart.test.ts:‹line›",
  'vitest: function':
    'TypeError: ⟦cart.add|cart.remove|(0 , __vite_ssr_import_0__.pay)⟧ is not a function\n ❯ src/cart.test.ts:‹line›\n ❯ processTicksAndRejections node:internal/process/task_queues:‹line›',
  'vitest: timeout':
    'Error: ⟦Test|Hook⟧ timed out in ‹ms›ms.\nIf this is a long-running test, pass a timeout value as the last argument or configure it globally with "testTimeout".\n ❯ src/slow.test.ts:‹line›',
  'vitest: fetch':
    "TypeError: fetch failed\n ❯ src/client.ts:‹line›\n‹nodeFrames›\n\nCaused by: Error: ⟦connect ECONNREFUSED ‹address›:‹port›|getaddrinfo ENOTFOUND db.internal|getaddrinfo ENOTFOUND mail.internal|read ECONNRESET⟧\n ❯ TCPConnectWrap.afterConnect node:net:‹line›\nSerialized Error: { errno: -‹n›, syscall: 'connect', attempt: ‹n› }",
  'vitest: thrown':
    "AssertionError: expected [Function] to throw error ⟦including 'no money'|including 'no stock'|matching /^Invalid/⟧ but got 'Order ‹uuid› is closed'\n ❯ src/pay.test.ts:‹line›",
  'vitest: resolve':
    'Error: Failed to resolve import "⟦./price|./tax⟧" from "src/cart.ts". Does the file exist?\n  Plugin: vite:import-analysis\n  File: ‹root›/src/cart.ts:‹line›',
  'mocha: chai':
    "AssertionError: expected ⟦'open' to equal 'paid'|'open' to equal 'closed'|{ id: ‹n› } to have property 'sku'|{ id: ‹n› } to have property 'price'|undefined to exist⟧\n      + expected - actual\n\n    at Context.<anonymous> (test/order.spec.js:‹line›)\n    at process.processImmediate (node:internal/timers:‹line›)",
  'mocha: numbers':
    'AssertionError: expected ‹signed› to ⟦equal|equal|be above⟧ ‹n›\n      + expected - actual\n\n      -‹n›\n      +‹n›\n\n    at Context.<anonymous> (test/⟦stock|price|stock⟧.spec.js:‹line›)',
  'mocha: timeout':
    'Error: Timeout of ‹ms›ms exceeded. For async tests and hooks, ensure "done()" is called; if returning a Promise, ensure it resolves. (‹root›/test/⟦stock|price⟧.spec.js)\n    at listOnTimeout (node:internal/timers:‹line›)',
  'node: refused':
    'Error: connect ⟦ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH⟧ ‹ip›:‹port›\n    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:‹line›) {\n  errno: -‹n›,\n  port: ‹port›\n}',
  'node: known port':
    'Error: connect ECONNREFUSED ‹address›:⟦5432|6379|27017⟧\n    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:‹line›)',
  'node: file':
    "Error: ENOENT: no such file or directory, open '‹root›/config/⟦shop|mail⟧.json'\n    at Object.openSync (node:fs:‹line›)\n    at ‹root›/src/config.ts:‹line›",
  'node: temporary file':
    "Error: ⟦ENOENT: no such file or directory, open|EACCES: permission denied, mkdir|ENOSPC: no space left on device, write⟧ '‹tmp›/report.json'\n    at ‹root›/src/report.ts:‹line›",
  'node: in use':
    'Error: listen EADDRINUSE: address already in use :::‹port›\n    at Server.setupListenHandle [as _listen2] (node:net:‹line›)',
  'node: json':
    "SyntaxError: ⟦Unexpected token '<', \"<!DOCTYPE \"... is not valid JSON|Unexpected end of JSON input|Expected ',' or '}' after property value in JSON at position ‹n› (line ‹n› column ‹n›)⟧\n    at JSON.parse (<anonymous>)\n    at ‹root›/src/client.ts:‹line›",
  'node: axios':
    "AxiosError: Request failed with status code ⟦404|500|401⟧\n    at settle (‹root›/node_modules/axios/lib/core/settle.js:‹line›)\n    at ‹root›/src/api.ts:‹line› {\n  code: 'ERR_BAD_REQUEST',\n  requestId: '‹uuid›'\n}",
  'node: exit':
    'Error: Command failed: npm run migrate\nnpm error Lifecycle script exited with code ‹count›\n    at genericNodeError (node:internal/errors:‹line›)',
  'node: exit code': 'Error: worker exited with code ⟦1|137|139⟧ after ‹took›\n‹nodeFrames›',
  'node: own words':
    'Error: ⟦User \'‹user›\' has no cart|Product "‹product›" is sold out|Customer "‹person›" is blocked|Order ORD-‹n› was already paid at ‹iso›|Invoice ‹uuid› of ‹email› has ‹items› too few|Session ‹token› expired at ‹longDate›|Cache key ‹nano› evicted after ‹took›⟧\n    at ‹root›/src/cart.ts:‹line›\n‹nodeFrames›',
  'node: words of data':
    'Error: ⟦No table for ‹person› tonight|Parcel for ‹user› was refused⟧\n    at ‹root›/src/cart.ts:‹line›\n‹nodeFrames›',
  'node: signature':
    'JsonWebTokenError: ⟦invalid signature: ‹jwt›|jwt malformed: ‹base64›⟧\n    at ‹root›/src/auth.ts:‹line›',
};
