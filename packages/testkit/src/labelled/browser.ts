import type { Templates } from './label-errors.ts';

/** Playwright, Cypress and Selenium. */
export const BROWSER_ERRORS: Templates = {
  'playwright: not found': `Error: expect(locator).toBeVisible() failed

Locator: ⟦getByRole('button', { name: 'Pay' })|getByRole('button', { name: 'Cancel' })|getByTestId('total')|locator('.cart >> nth=2')|locator('//div[@id="cart"]/span')|locator('//div[@id="list"]/span')⟧
Expected: visible
Timeout: ‹ms›ms
Error: element(s) not found

Call log:
  - Expect "toBeVisible" with timeout ‹ms›ms
  - waiting for ⟦getByRole('button', { name: 'Pay' })|getByRole('button', { name: 'Cancel' })|getByTestId('total')|locator('.cart >> nth=2')|locator('//div[@id="cart"]/span')|locator('//div[@id="list"]/span')⟧

  12 |   await page.goto('/');
> ‹row› |   await expect(target).toBeVisible();
     |                        ^
    at ‹root›/tests/cart.spec.ts:‹line›`,
  'playwright: hidden': `Error: expect(locator).⟦toBeVisible|toBeEnabled|not.toBeChecked⟧() failed

Locator:  getByTestId('total')
Expected: ⟦visible|enabled|not checked⟧
Received: ⟦hidden|disabled|checked⟧
Timeout:  ‹ms›ms

Call log:
  - Expect "to be" with timeout ‹ms›ms
  - waiting for getByTestId('total')
    ‹count› × locator resolved to <b id="r‹hex6›" data-testid="total"></b>
      - unexpected value "hidden"

    at ‹root›/tests/cart.spec.ts:‹line›`,
  'playwright: text': `Error: expect(locator).⟦toHaveText|toContainText|toHaveText|toHaveCount⟧(expected) failed

Locator:  ⟦getByTestId('sum')|getByTestId('sum')|getByTestId('state')|getByRole('listitem')⟧
Expected: ⟦"€ 129.00"|"€ 129.00"|"Paid"|5⟧
Received: ⟦"€ ‹money›"|"€ ‹money›"|"Open"|‹n›⟧
Timeout:  ‹ms›ms

Call log:
  - waiting for ⟦getByTestId('sum')|getByTestId('sum')|getByTestId('state')|getByRole('listitem')⟧
    ‹count› × locator resolved to <span id="s-‹hex8›">‹n›</span>

    at ‹root›/tests/cart.spec.ts:‹line›`,
  'playwright: click timed out': `‹n›) [chromium] › tests/cart.spec.ts:‹line› › cart › pays

    Test timeout of ‹ms›ms exceeded.

    Error: locator.⟦click|click|fill|selectOption⟧: Test timeout of ‹ms›ms exceeded.
    Call log:
      - waiting for ⟦getByRole('button', { name: 'Pay' })|getByRole('link', { name: 'Cart' })|getByLabel('Email')|getByLabel('Country')⟧
‹clickLog›

        at ‹root›/tests/cart.spec.ts:‹line›`,
  'playwright: covered': `TimeoutError: locator.click: Timeout ‹ms›ms exceeded.
Call log:
  - waiting for getByRole('button', { name: '⟦Save|Delete⟧' })
‹clickLog›
    - <div class="toast" id="toast-‹n›">…</div> intercepts pointer events
‹clickLog›

    at ‹root›/tests/profile.spec.ts:‹line›`,
  'playwright: strict mode': `Error: locator.click: Error: strict mode violation: ⟦getByRole('button')|getByText('Continue')⟧ resolved to ‹count› elements:
    1) <button id="a‹n›" class="btn">One</button> aka getByRole('button', { name: 'One' })
    2) <button id="a‹n›" class="btn">Two</button> aka getByTestId('b‹n›')

Call log:
  - waiting for ⟦getByRole('button')|getByText('Continue')⟧

    at ‹root›/tests/wizard.spec.ts:‹line›`,
  'playwright: hook':
    'Test timeout of ‹ms›ms exceeded while running "⟦beforeEach|afterAll⟧" hook.\n\n    at ‹root›/tests/setup.spec.ts:‹line›',
  'playwright: goto': `Error: page.goto: net::⟦ERR_CONNECTION_REFUSED|ERR_NAME_NOT_RESOLVED|ERR_CERT_AUTHORITY_INVALID⟧ at http://localhost:‹port›/orders/‹n›‹query›
Call log:
  - navigating to "http://localhost:‹port›/orders/‹n›", waiting until "load"

    at ‹root›/tests/support/fixtures.ts:‹line›`,
  'playwright: response': `Error: expect(received).toBe(expected) // Object.is equality

Expected: 200
Received: ⟦500|503|404⟧

  40 |   const response = await request.get('/api/orders');
> ‹row› |   expect(response.status()).toBe(200);
     |                             ^
    at ‹root›/tests/api.spec.ts:‹line›`,
  'playwright: request':
    'Error: apiRequestContext.⟦get|get|post⟧: connect ECONNREFUSED ‹address›:‹port›\nCall log:\n  - → ⟦GET|GET|POST⟧ http://localhost:‹port›/api/⟦orders|users|orders⟧/‹uuid›\n    - user-agent: Playwright/1.‹n›\n\n    at ‹root›/tests/api.spec.ts:‹line›',
  'playwright: closed':
    'Error: ⟦page.waitForSelector|browserContext.newPage⟧: Target page, context or browser has been closed\nBrowser logs:\n\n<launching> /root/.cache/ms-playwright/chromium-‹n›/chrome-linux/chrome --user-data-dir=‹tmp›\n[pid=‹n›] <process did exit: exitCode=null, signal=SIGKILL>\n‹nodeFrames›',
  'playwright: screenshot': `Error: expect(page).toHaveScreenshot(expected) failed

  ‹n› pixels (ratio 0.‹count› of all image pixels) are different.

  Snapshot: ⟦cart|profile⟧-1.png

Call log:
  - Expect "toHaveScreenshot(⟦cart|profile⟧-1.png)" with timeout ‹ms›ms
    - verifying given screenshot expectation
    - ‹n› pixels (ratio 0.‹count› of all image pixels) are different.

    at ‹root›/tests/visual.spec.ts:‹line›`,
  'cypress: element':
    'AssertionError: Timed out retrying after ‹ms›ms: Expected to find element: `⟦.cart|.total|#pay⟧`, but never found it.\n    at Context.eval (webpack://shop/./cypress/e2e/cart.cy.ts:‹line›)',
  'cypress: assertion':
    "AssertionError: Timed out retrying after ‹ms›ms: expected '<span#sum-‹n›.price>' to ⟦have text|contain text⟧ '⟦€ 12.00|Paid⟧', but the text was '⟦€ ‹money›|Open⟧'\n    at Context.eval (webpack://shop/./cypress/e2e/cart.cy.ts:‹line›)",
  'cypress: request': `CypressError: \`cy.request()\` failed on:

https://shop.test/api/⟦orders|orders|users⟧/‹n›

The response we received from your web server was:

  > ⟦500: Internal Server Error|404: Not Found|500: Internal Server Error⟧

This was considered a failure because the status code was not \`2xx\` or \`3xx\`.
    at <unknown> (https://shop.test/__cypress/runner/cypress_runner.js:‹line›)
    at Context.eval (webpack://shop/./cypress/e2e/api.cy.ts:‹line›)`,
  'selenium: element':
    'org.openqa.selenium.NoSuchElementException: no such element: Unable to locate element: {"method":"⟦css selector|css selector|xpath⟧","selector":"⟦.cart|.total|//h1⟧"}\n  (Session info: chrome=1‹count›.0.‹n›.‹n›)\nFor documentation on this error, please visit: https://www.selenium.dev/documentation/webdriver/troubleshooting/errors#no-such-element-exception\nBuild info: version: \'4.‹count›.0\'\nSystem info: os.name: \'Linux\', java.version: \'21.0.‹count›\'\nSession ID: ‹sha›\n‹javaFrames›',
  'selenium: wait':
    'org.openqa.selenium.TimeoutException: Expected condition failed: waiting for visibility of element located by By.⟦id: pay|id: total|cssSelector: .toast⟧ (tried for ‹count› second(s) with ‹ms› milliseconds interval)\n‹javaFrames›',
};
