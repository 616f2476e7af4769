import { expect, it } from 'vitest';
import { createFinder } from './spelled-files.ts';

const find = createFinder([
  'web/e2e/cart.spec.ts',
  'web/e2e/pay.spec.ts',
  'api/e2e/pay.spec.ts',
  'shop/src/test/java/com/acme/CartTest.java',
  'shop/src/test/kotlin/com/acme/PayTest.kt',
  'old/src/test/java/com/acme/PayTest.java',
  'py/tests/test_cart.py',
  'go/cart/cart_test.go',
  'go/cart/more_test.go',
  'go.mod',
  'CartTest.cs',
  '.hidden',
]);

it.each([
  ['e2e/cart.spec.ts', 'web/e2e/cart.spec.ts'],
  ['cart.spec.ts', 'web/e2e/cart.spec.ts'],
  ['../e2e/cart.spec.ts', 'web/e2e/cart.spec.ts'],
  ['art.spec.ts', null],
  ['e2e/pay.spec.ts', null],
  ['web/e2e/pay.spec.ts', 'web/e2e/pay.spec.ts'],
  ['com.acme.CartTest', 'shop/src/test/java/com/acme/CartTest.java'],
  ['com.acme.CartTest$Empty', 'shop/src/test/java/com/acme/CartTest.java'],
  ['com.acme.PayTest', null],
  ['tests.test_cart', 'py/tests/test_cart.py'],
  ['tests.test_cart.TestCart', 'py/tests/test_cart.py'],
  ['example.com/shop/go/cart', 'go/cart/cart_test.go'],
  ['example.com/shop/pay', null],
  ['unknown', null],
  ['', null],
])('%s is %s', (spelled, path) => {
  expect(find(spelled)).toBe(path);
});
