import type { Templates } from './label-errors.ts';

/** JUnit with Maven and Gradle, pytest, Go, Rust, PHPUnit, .NET and Ruby. */
export const LANGUAGE_ERRORS: Templates = {
  'junit: numbers':
    'org.opentest4j.AssertionFailedError: expected: <‹n›> but was: <‹n›>\n\tat org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:‹row›)\n\tat com.acme.shop.⟦CartTest.addsUp|CartTest.counts|OrderTest.addsUp⟧(⟦CartTest|CartTest|OrderTest⟧.java:‹row›)\n‹javaFrames›',
  'junit: message':
    'org.opentest4j.AssertionFailedError: ⟦total of the cart|number of lines⟧ ==> expected: <‹n›> but was: <‹n›>\n‹javaFrames›',
  'junit: strings':
    'org.opentest4j.AssertionFailedError: expected: <⟦PAID|SHIPPED⟧> but was: <OPEN>\n\tat com.acme.shop.OrderTest.pays(OrderTest.java:‹row›)\n‹javaFrames›',
  'junit: null pointer':
    'java.lang.NullPointerException: Cannot invoke "com.acme.shop.Cart.⟦total|lines⟧()" because "cart" is null\n\tat com.acme.shop.CartTest.setUp(CartTest.java:‹row›)\n‹javaFrames›',
  'junit: exception':
    '⟦java.lang.IllegalStateException|java.lang.IllegalArgumentException⟧: order ‹uuid› is not open\n\tat com.acme.shop.Order.close(Order.java:‹row›)\n‹javaFrames›',
  'junit: causes': `org.springframework.dao.DataAccessResourceFailureException: Unable to acquire JDBC Connection
‹javaFrames›
Caused by: java.sql.SQLTransientConnectionException: HikariPool-‹count› - Connection is not available, request timed out after ‹ms›ms.
‹javaFrames›
Caused by: org.postgresql.util.PSQLException: Connection to ⟦orders-db|users-db⟧:5432 refused. Check that the hostname and port are correct.
‹moreFrames›
Caused by: java.net.ConnectException: Connection refused
‹moreFrames›`,
  'junit: context': `java.lang.IllegalStateException: Failed to load ApplicationContext for [WebMergedContextConfiguration@‹identity› testClass = com.acme.shop.CartIT, locations = [], classes = [com.acme.shop.App]]
‹javaFrames›
Caused by: org.springframework.beans.factory.NoSuchBeanDefinitionException: No qualifying bean of type 'com.acme.shop.⟦Mailer|Ledger⟧' available: expected at least 1 bean which qualifies as autowire candidate.
‹moreFrames›`,
  'junit: object':
    'java.lang.AssertionError: \nExpected: ⟦a collection with size <‹n›>|is <com.acme.Cart@‹identity›>⟧\n     but: ⟦collection size was <‹n›>|was <com.acme.Cart@‹identity›>⟧\n\tat org.hamcrest.MatcherAssert.assertThat(MatcherAssert.java:‹row›)\n\tat com.acme.shop.ListTest.holds(ListTest.java:‹row›)',
  'junit: assertj':
    'java.lang.AssertionError: \nExpecting actual:\n  [‹numbers›]\n⟦to contain|to be sorted in ascending order⟧:\n  [‹numbers›]\n\tat com.acme.shop.ListTest.contains(ListTest.java:‹row›)\n‹javaFrames›',
  'junit: rest-assured':
    'java.lang.AssertionError: 1 expectation failed.\nExpected status code <200> but was <⟦500|404⟧>.\n\n\tat io.restassured.internal.ValidatableResponseOptionsImpl.statusCode(ValidatableResponseOptionsImpl.java:‹row›)\n\tat com.acme.shop.ApiIT.lists(ApiIT.java:‹row›)',
  'junit: timeout': 'java.util.concurrent.TimeoutException: ⟦pays|ships⟧() timed out after ‹took›\n‹javaFrames›',
  'junit: awaitility':
    "org.awaitility.core.ConditionTimeoutException: Condition with alias '⟦mail sent|order shipped⟧' didn't complete within ‹took› because condition with Lambda expression in com.acme.shop.WaitIT was not fulfilled.\n‹javaFrames›",
  'maven: plugin':
    '[ERROR] Failed to execute goal org.apache.maven.plugins:⟦maven-compiler-plugin|maven-surefire-plugin⟧:3.‹count›.0:⟦compile|test⟧ (default) on project shop: ⟦Compilation failure|There are test failures.⟧ -> [Help 1]',
  'gradle: resolution':
    "Execution failed for task ':⟦test|compileJava⟧'.\n> Could not resolve com.acme:⟦core|money⟧:1.‹n›.0.\n   > Could not GET 'https://repo.acme.example/com/acme/⟦core|money⟧/1.‹n›.0/pom.xml'. Received status code 503 from server: Service Unavailable",
  'pytest: numbers': `cart = <shop.cart.Cart object at ‹memory›>

    def test_total(cart):
>       assert ⟦cart.total()|len(cart.items)⟧ == ‹n›
E       assert ‹n› == ‹n›
E        +  where ‹n› = ⟦total|len⟧(‹n›)

tests/test_cart.py:‹row›: AssertionError`,
  'pytest: strings': `    def test_state(order):
>       assert order.state == "⟦paid|shipped⟧"
E       AssertionError: assert 'open' == '⟦paid|shipped⟧'
E         
E         - ⟦paid|shipped⟧
E         + open

tests/test_order.py:‹row›: AssertionError`,
  'pytest: key': `    def test_reads():
>       value = row["⟦price|sku⟧"]
E       KeyError: '⟦price|sku⟧'

shop/rows.py:‹row›: KeyError`,
  'pytest: connection':
    "    def test_lists(client):\n>       client.get('/api/orders')\nE       requests.exceptions.ConnectionError: HTTPConnectionPool(host='localhost', port=‹port›): Max retries exceeded with url: /api/⟦orders|users⟧/‹n›‹query› (Caused by NewConnectionError('<urllib3.connection.HTTPConnection object at ‹memory›>: Failed to establish a new connection: [Errno 111] Connection refused'))\n\n/usr/lib/python3.12/site-packages/requests/adapters.py:‹row›: ConnectionError",
  'python: traceback': `Traceback (most recent call last):
  File "‹root›/tests/test_pay.py", line ‹row›, in test_pays
    pay()
‹pythonFrames›
⟦ValueError: amount ‹signed› is negative|TypeError: pay() missing 1 required positional argument: 'amount'|TypeError: pay() missing 1 required positional argument: 'currency'|AttributeError: 'NoneType' object has no attribute 'total'|AttributeError: 'Cart' object has no attribute 'total'|ModuleNotFoundError: No module named 'shop.tax'|ModuleNotFoundError: No module named 'yaml'|shop.errors.PaymentDeclined: card ending ‹n› declined: insufficient_funds|shop.errors.PaymentDeclined: card ending ‹n› declined: expired_card⟧`,
  'python: literal':
    "Traceback (most recent call last):\n‹pythonFrames›\nValueError: ⟦invalid literal for int() with base 10: '‹money›'|time data '‹iso›' does not match format '%Y-%m-%d'|could not convert string to float: '‹money›'⟧",
  'go: got want': '    ⟦cart|order⟧_test.go:‹row›: got ‹n›, want ‹n›',
  'go: message':
    '    api_test.go:‹row›: ⟦GET /orders/‹n› answered 503|GET /users/‹n› answered 503|GET /orders/‹n› answered 404|POST /orders answered 503 after ‹took›⟧',
  'go: testify':
    '    cart_test.go:‹row›: \n        \tError Trace:\t‹root›/cart_test.go:‹row›\n        \tError:      \tNot equal: \n        \t            \texpected: ‹n›\n        \t            \tactual  : ‹n›\n        \tTest:       \tTestCart/⟦adds_up|counts⟧\n        \tMessages:   \t⟦the sum is wrong|the count is wrong⟧',
  'go: testify error':
    '    cart_test.go:‹row›: \n        \tError Trace:\t‹root›/cart_test.go:‹row›\n        \tError:      \tReceived unexpected error:\n        \t            \t⟦dial tcp ‹ip›:‹port›: connect: connection refused|context deadline exceeded|open ‹tmp›/cart.db: no such file or directory⟧\n        \tTest:       \tTestCart',
  'go: panic':
    'panic: runtime error: ⟦index out of range [‹n›] with length ‹n›|invalid memory address or nil pointer dereference|integer divide by zero⟧ [recovered]\n\n‹goFrames›',
  'rust: assert':
    "thread 'cart::tests::⟦adds_up|counts⟧' (‹n›) panicked at src/cart.rs:‹line›:\nassertion `left == right` failed: ⟦totals differ|counts differ⟧\n  left: ‹n›\n right: ‹n›\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
  'rust: unwrap':
    'thread \'main\' panicked at src/⟦main|main|db⟧.rs:‹line›:\ncalled `⟦Option::unwrap()` on a `None` value|Result::unwrap()` on an `Err` value: Os { code: 2, kind: NotFound, message: "No such file or directory" }|Result::unwrap()` on an `Err` value: PoolTimedOut⟧\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace',
  'phpunit: value':
    "Failed asserting that ⟦‹n› matches expected ‹n›|two strings are equal|an array has the key 'sku'|an array has the key 'price'⟧.\n\n‹root›/tests/CartTest.php:‹row›",
  'php: error':
    '⟦TypeError: Cart::add(): Argument #1 ($item) must be of type Item, null given, called in ‹root›/src/Shop.php on line ‹row›|Error: Call to undefined method Cart::total()|Error: Call to undefined method Cart::count()|Error: Class "Shop\\Tax" not found⟧\n\n‹root›/tests/CartTest.php:‹row›',
  'xunit: values':
    'Assert.⟦Equal|Equal|NotEqual⟧() Failure: Values ⟦differ|differ|are equal⟧\nExpected: ‹n›\nActual:   ‹n›\n   at Shop.Tests.CartTests.⟦AddsUp|Counts|AddsUp⟧() in ‹root›/CartTests.cs:line ‹row›\n‹dotnetFrames›',
  'dotnet: exception':
    "⟦System.NullReferenceException : Object reference not set to an instance of an object.|System.InvalidOperationException : Sequence contains no elements|System.InvalidOperationException : Sequence contains more than one element|System.Collections.Generic.KeyNotFoundException : The given key 'sku-‹n›' was not present in the dictionary.⟧\n   at Shop.Cart.Add(Item item) in ‹root›/Cart.cs:line ‹row›\n‹dotnetFrames›",
  'nunit: values':
    '  ⟦Sum of the cart|Lines of the cart⟧\n  Expected: ‹n›\n  But was:  ‹n›\n\n   at Shop.Tests.CartTests.AddsUp() in ‹root›/CartTests.cs:line ‹row›',
  'rspec: values':
    "Failure/Error: expect(cart.⟦total|count⟧).to eq(‹n›)\n\n  expected: ‹n›\n       got: ‹n›\n\n  (compared using ==)\n# ./spec/cart_spec.rb:‹row›:in `block (3 levels) in <top (required)>'",
  'rspec: method':
    "Failure/Error: cart.add(item)\n\nNoMethodError:\n  undefined method '⟦price|name⟧' for nil\n# ./app/cart.rb:‹row›:in `add'",
};
