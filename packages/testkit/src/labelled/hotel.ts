import type { Templates } from './label-errors.ts';

/** Of all runners again, in another project. */
export const HOTEL_ERRORS: Templates = {
  'playwright: url': `Error: expect(page).toHaveURL(expected) failed

Expected: "http://localhost:‹port›/⟦checkout|account⟧"
Received: "http://localhost:‹port›/login‹query›"
Timeout:  ‹ms›ms

Call log:
  - Expect "toHaveURL" with timeout ‹ms›ms
    ‹count› × unexpected value "http://localhost:‹port›/login"

    at ‹root›/tests/flow.spec.ts:‹line›`,
  'playwright: wait for response': `TimeoutError: page.waitForResponse: Timeout ‹ms›ms exceeded while waiting for event "response"
=========================== logs ===========================
waiting for response "**/api/⟦search|suggest⟧"
============================================================
    at ‹root›/tests/search.spec.ts:‹line›`,
  'playwright: attribute': `Error: expect(locator).toHaveAttribute(expected) failed

Locator:  getByRole('⟦img|link⟧', { name: 'Logo' })
Expected: "⟦/static/logo.svg|/home⟧"
Received: ""
Timeout:  ‹ms›ms

Call log:
  - waiting for getByRole('⟦img|link⟧', { name: 'Logo' })
    ‹count› × locator resolved to <a id="x‹hex6›">…</a>

    at ‹root›/tests/brand.spec.ts:‹line›`,
  'playwright: worker': 'Error: worker process exited unexpectedly (code=⟦null, signal=SIGKILL|1, signal=null⟧)',
  'cypress: covered':
    'CypressError: Timed out retrying after ‹ms›ms: `cy.⟦click|type⟧()` failed because this element is being covered by another element:\n\n`<button id="b‹n›">Go</button>`\n    at Context.eval (webpack://shop/./cypress/e2e/form.cy.ts:‹line›)',
  'jest: throws':
    'Error: expect(received).rejects.toThrow(expected)\n\nExpected substring: "⟦quota exceeded|not allowed⟧"\nReceived message:   "upload ‹uuid› cancelled after ‹took›"\n\n    at Object.<anonymous> (‹root›/src/upload.test.ts:‹line›)\n‹nodeFrames›',
  'jest: property':
    'Error: expect(received).toHaveProperty(path)\n\nExpected path: "⟦address.street|address.city⟧"\nReceived path: "address"\n\nReceived value: {"zip": "‹n›"}\n    at Object.<anonymous> (‹root›/src/address.test.ts:‹line›)',
  'vitest: close':
    'AssertionError: expected ‹float› to be close to ‹float›, received difference is ‹float›, but expected 0.00‹n›\n ❯ src/⟦tax|geo⟧.test.ts:‹line›',
  'vitest: reference':
    'ReferenceError: ⟦discount|voucher⟧ is not defined\n ❯ src/checkout.ts:‹line›\n ❯ src/checkout.test.ts:‹line›',
  'mocha: hook':
    'Error: "before all" hook for "⟦lists hotels|books a room⟧": Timeout of ‹ms›ms exceeded. For async tests and hooks, ensure "done()" is called.\n    at listOnTimeout (node:internal/timers:‹line›)',
  'node: assert':
    "AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n⟦'draft' !== 'sent'|'draft' !== 'seen'⟧\n\n    at TestContext.<anonymous> (file://‹root›/test/letter.test.js:‹line›)",
  'node: own words':
    'Error: ⟦Booking ‹n› for ‹date› overlaps booking ‹n›|Room ‹n› is closed until ‹longDate›|Account "‹user›" is locked|Upload of ‹bytes› exceeds ‹bytes›|Webhook ‹sha› was delivered ‹count› times⟧\n    at ‹root›/src/booking.ts:‹line›\n‹nodeFrames›',
  'node: tls':
    'Error: ⟦self-signed certificate|certificate has expired|unable to verify the first certificate⟧\n    at TLSSocket.onConnectSecure (node:_tls_wrap:‹line›)\n‹nodeFrames›',
  'junit: cast':
    "java.lang.ClassCastException: class com.acme.hotel.⟦Suite|Single⟧ cannot be cast to class com.acme.hotel.Room (com.acme.hotel.Room is in unnamed module of loader 'app')\n\tat com.acme.hotel.RoomTest.books(RoomTest.java:‹row›)\n‹javaFrames›",
  'junit: mockito':
    'Wanted but not invoked:\nmailer.⟦send|remind⟧(\n    "‹email›"\n);\n-> at com.acme.hotel.MailTest.mails(MailTest.java:‹row›)\nActually, there were zero interactions with this mock.\n\n‹javaFrames›',
  'junit: wrapped': `java.util.concurrent.ExecutionException: java.lang.RuntimeException: job ‹n› failed
‹javaFrames›
Caused by: java.lang.RuntimeException: job ‹n› failed
‹moreFrames›
Caused by: java.nio.file.⟦NoSuchFileException|AccessDeniedException⟧: ‹tmp›/rooms.csv
‹moreFrames›`,
  'pytest: in': `    def test_menu(page):
>       assert "⟦Rooms|Rates⟧" in page.links
E       AssertionError: assert '⟦Rooms|Rates⟧' in ['Home', 'Login']
E        +  where ['Home', 'Login'] = <Page ‹memory›>.links

tests/test_menu.py:‹row›: AssertionError`,
  'pytest: fixture':
    "file ‹root›/tests/test_rooms.py, line ‹row›\n  def test_rooms(⟦hotel|guest⟧):\nE       fixture '⟦hotel|guest⟧' not found\n>       available fixtures: cache, capfd, tmp_path\n\n‹root›/tests/test_rooms.py:‹row›",
  'python: chained': `Traceback (most recent call last):
  File "‹root›/hotel/db.py", line ‹row›, in connect
    return psycopg.connect(dsn)
psycopg.OperationalError: connection to server at "‹ip›", port 5432 failed: Connection refused

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
‹pythonFrames›
hotel.errors.Unavailable: ⟦rooms|guests⟧ cannot be read`,
  'go: subtest':
    '    rooms_test.go:‹row›: Rooms(‹n›) error = ⟦sql: no rows in result set|sql: database is closed⟧, wantErr false',
  'go: timeout':
    'panic: test timed out after ‹took›\n\trunning tests:\n\t\t⟦TestRooms|TestGuests⟧ (‹took›)\n\n‹goFrames›',
  'rust: expect':
    "thread 'booking::⟦opens|closes⟧' panicked at src/booking.rs:‹line›:\n⟦room must be open: Closed { since: ‹n› }|room must be free: Taken { by: ‹n› }⟧\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
  'phpunit: mock':
    'Expectation failed for method name is "⟦send|queue⟧" when invoked ‹count› times.\nMethod was expected to be called ‹count› times, actually called ‹count› times.\n\n‹root›/tests/MailTest.php:‹row›',
  'dotnet: inner':
    'System.AggregateException : One or more errors occurred. (⟦Connection refused (localhost:‹port›)|The operation was canceled.⟧)\n---- System.Net.Http.HttpRequestException : ⟦Connection refused (localhost:‹port›)|The operation was canceled.⟧\n   at Hotel.Tests.RoomTests.Lists() in ‹root›/RoomTests.cs:line ‹row›\n‹dotnetFrames›',
  'mstest: values':
    'Assert.AreEqual failed. Expected:<‹n›>. Actual:<‹n›>. ⟦nights|guests⟧ of the booking\n   at Hotel.Tests.BookingTests.Counts() in ‹root›/BookingTests.cs:line ‹row›',
  'rspec: include':
    'Failure/Error: expect(names).to include(\'⟦Suite|Single⟧\')\n\n  expected ["Double ‹n›"] to include "⟦Suite|Single⟧"\n# ./spec/rooms_spec.rb:‹row›:in `block (2 levels) in <top (required)>\'',
  'swift: equal':
    '⟦RoomTests.swift|GuestTests.swift⟧:‹row›: error: -[HotelTests.⟦RoomTests testCounts|GuestTests testCounts⟧] : XCTAssertEqual failed: ("‹n›") is not equal to ("‹n›")',
  'elastic: index':
    'ResponseError: index_not_found_exception: [index_not_found_exception] Reason: no such index [⟦rooms|guests⟧-‹date›]\n‹nodeFrames›',
  'http: upstream':
    'Error: ⟦PUT|PUT|PATCH⟧ http://‹ip›:‹port›/v2/⟦rooms|guests|rooms⟧/‹hex8› responded with ⟦409|409|422⟧ in ‹took›\n‹nodeFrames›',
  'prisma: query':
    'PrismaClientKnownRequestError: \nInvalid `prisma.⟦room|guest⟧.create()` invocation in\n‹root›/src/rooms.ts:‹line›\n\nUnique constraint failed on the fields: (`⟦number|email⟧`)',
};
