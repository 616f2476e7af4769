import type { Templates } from './label-errors.ts';

/** Of runners and tools that the other sets leave out, written before any of them was fingerprinted: see docs/causes.md. */
export const HELD_OUT_ERRORS: Templates = {
  'webdriverio: displayed':
    'Error: element ("⟦#search|.result⟧") still not displayed after ‹ms›ms\n    at async Context.<anonymous> (file://‹root›/test/specs/search.e2e.ts:‹line›)',
  'webdriverio: click':
    'Error: Can\'t call click on element with selector "⟦#search|.result⟧" because element wasn\'t found\n    at async Element.wrapCommandFn (file://‹root›/node_modules/@wdio/utils/build/index.js:‹line›)\n    at async Context.<anonymous> (file://‹root›/test/specs/search.e2e.ts:‹line›)',
  'testcafe: selector':
    "1) The specified selector does not match any element in the DOM tree.\n\n    > | Selector('⟦#flight|#seat⟧')\n\n   Browser: Chrome 1‹count›.0.‹n›.0 / Linux\n   Screenshot: ‹root›/screenshots/‹date›_‹count›/test-1/errors/1.png\n\n      ‹row› |  await t\n    > ‹row› |    .click(Selector('⟦#flight|#seat⟧'))\n      ‹row› |\n\n     at <anonymous> (‹root›/tests/flight.ts:‹line›)",
  'puppeteer: selector':
    'TimeoutError: Waiting for selector `⟦#flight|#seat⟧` failed: Waiting failed: ‹ms›ms exceeded\n    at new WaitTask (‹root›/node_modules/puppeteer-core/lib/cjs/puppeteer/common/WaitTask.js:‹line›)\n    at ‹root›/test/flight.test.js:‹line›',
  'robot: keyword': "Element with locator '⟦id:flight|id:seat⟧' not found.",
  'robot: value': "Text of the element '⟦id:price|id:tax⟧' should have been '‹money›' but was '‹money›'.",
  'behave: step':
    'Assertion Failed: ⟦flight ‹n› is not listed|seat ‹count›A is not free|fare of ‹money› EUR expected, ‹money› EUR found⟧\nCaptured logging:\nINFO:root:‹iso› started',
  'googletest: values':
    '‹root›/test/⟦flight|seat⟧_test.cc:‹row›: Failure\nExpected equality of these values:\n  ⟦flight.rows()|seat.row()⟧\n    Which is: ‹n›\n  ‹n›',
  'catch2: check':
    '‹root›/test/flight_test.cpp:‹row›: FAILED:\n  REQUIRE( ⟦flight.seats() == ‹n›|flight.rows() == ‹n›⟧ )\nwith expansion:\n  ‹n› == ‹n›',
  'exunit: assert':
    '  ‹count›) test ⟦books|cancels⟧ (FlightTest)\n     test/flight_test.exs:‹row›\n     Assertion with == failed\n     code:  assert ⟦flight.seats|flight.state⟧ == ⟦‹n›|:cancelled⟧\n     left:  ⟦‹n›|:booked⟧\n     right: ⟦‹n›|:cancelled⟧\n     stacktrace:\n       test/flight_test.exs:‹row›: (test)',
  'kotest: should':
    'io.kotest.assertions.AssertionFailedError: expected:<⟦‹n›|"LANDED"⟧> but was:<⟦‹n›|"DELAYED"⟧>\n\tat com.acme.air.⟦SeatSpec|FlightSpec⟧$1$1.invokeSuspend(⟦SeatSpec|FlightSpec⟧.kt:‹row›)\n‹javaFrames›',
  'spock: condition':
    'Condition not satisfied:\n\n⟦flight.seats() == ‹n›|flight.rows() == ‹n›⟧\n|      |       |\n|      ‹n›     false\nFlight@‹identity›\n\n\tat com.acme.air.FlightSpec.books(FlightSpec.groovy:‹row›)\n‹javaFrames›',
  'testng: object':
    'java.lang.AssertionError: expected [‹n›] but found [‹n›]\n\tat org.testng.Assert.fail(Assert.java:‹row›)\n\tat com.acme.air.⟦SeatTest.counts|SeatTest.sums⟧(SeatTest.java:‹row›)\n‹javaFrames›',
  'cucumber: undefined':
    "Undefined. Implement with the following snippet:\n\n  Given('⟦a flight to {string}|a seat by the window⟧', function () {\n    return 'pending';\n  });",
  'hibernate: constraint':
    'org.hibernate.exception.ConstraintViolationException: could not execute statement [ERROR: insert or update on table "seats" violates foreign key constraint "⟦fk_flight|fk_guest⟧"\n  Detail: Key (id)=(‹n›) is not present in table "flights".] [insert into seats (row,id) values (?,?)]\n‹javaFrames›',
  'django: missing':
    'django.db.utils.ProgrammingError: ⟦relation "air_flight" does not exist|column air_seat.row does not exist⟧\nLINE 1: SELECT "air_flight"."id" FROM "air_flight" WHERE "air_flight"."id" = ‹n›\n                                     ^',
  'rails: not found':
    "ActiveRecord::RecordNotFound: Couldn't find ⟦Flight|Seat⟧ with 'id'=‹n›\n# ./app/controllers/flights_controller.rb:‹row›:in 'show'",
  'ruby: http':
    "Net::ReadTimeout: Net::ReadTimeout with #<TCPSocket:(closed ‹memory›)>\n# ./lib/fares/client.rb:‹row›:in 'get'",
  'dotnet: fluent':
    'Expected ⟦flight.Seats|flight.Rows⟧ to be ‹n›, but found ‹n› (difference of ‹signed›).\n   at FluentAssertions.Execution.XUnit2TestFramework.Throw(String message)\n   at Air.Tests.FlightTests.Books() in ‹root›/FlightTests.cs:line ‹row›',
  'dotnet: sql':
    "Microsoft.Data.SqlClient.SqlException : Invalid ⟦object|column⟧ name '⟦Flights|Seat⟧'.\n   at Air.Store.Read() in ‹root›/Store.cs:line ‹row›\n‹dotnetFrames›",
  'k6: threshold':
    'time="‹iso›" level=error msg="thresholds on metrics \'⟦http_req_duration|http_req_failed⟧\' have been crossed"',
  'terraform: apply':
    'Error: creating ⟦S3 Bucket (air-‹hex8›)|IAM Role (air-‹hex8›)⟧: operation error: StatusCode: ⟦409|403⟧, RequestID: ‹token›, ⟦BucketAlreadyExists|AccessDenied⟧',
  'typescript: compile':
    "src/flight.ts(‹count›,‹count›): error TS⟦2339: Property 'seats' does not exist on type 'Flight'.|2339: Property 'rows' does not exist on type 'Flight'.|2322: Type 'string' is not assignable to type 'number'.⟧",
  'eslint: rule':
    "  ‹line›  error  ⟦Unexpected any. Specify a different type|'seat' is assigned a value but never used⟧  @typescript-eslint/⟦no-explicit-any|no-unused-vars⟧",
  'graphql: field':
    'GraphQLError: Cannot query field "⟦seats|rows⟧" on type "Flight". Did you mean "id"?\n‹nodeFrames›',
  'zod: issue':
    'ZodError: [\n  {\n    "code": "invalid_type",\n    "expected": "⟦string|number⟧",\n    "received": "undefined",\n    "path": [\n      "⟦from|seats⟧"\n    ],\n    "message": "Required"\n  }\n]\n    at ‹root›/src/parse.ts:‹line›',
  'nats: no responders': 'NatsError: 503 no responders for ⟦flights.book|flights.cancel⟧',
  'own words':
    'Error: ⟦Flight LH‹n› of ‹date› is full: ‹count› of ‹count› seats taken|Fare for ‹email› changed from ‹money› to ‹money› within ‹took›|Lock flight:‹uuid› is held by worker-‹n› since ‹iso›|Seat map ‹sha› is older than ‹took›⟧\n‹nodeFrames›\n    at ‹root›/src/fly.ts:‹line›',
};
