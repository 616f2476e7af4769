/** What the first line of a comparison with passing executions should be. */
export interface FirstLine {
  readonly kind: 'version' | 'environment' | 'step' | 'request' | 'console';
  readonly change?: readonly ('added' | 'missing' | 'repeated' | 'changed' | 'failed' | 'slower')[];
  readonly what: RegExp;
}

export interface Fault {
  /** Changes of the page. */
  readonly page?: readonly (readonly [from: string, to: string])[];
  /** By method and path: what the shop answers, or how late. */
  readonly answers?: Readonly<Record<string, Answer>>;
  /** What the run is sent with. */
  readonly version?: string;
  readonly first: FirstLine;
}

export interface Answer {
  readonly status?: number;
  readonly body?: string;
  readonly location?: string;
  readonly delayMs?: number;
  readonly never?: true;
}

export const SHOP_VERSION = '4.1.0';

const PAYMENTS = 'POST /api/payments';
const BOOKS = 'GET /api/books';
const ITEMS = 'POST /api/baskets/items';

/** Each makes at least one test fail. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  'payments are refused': {
    answers: { [PAYMENTS]: { status: 502, body: '{"error":"payment provider: unknown currency"}' } },
    first: { kind: 'request', change: ['changed'], what: /^POST \/api\/payments$/ },
  },
  'payments take long': {
    answers: { [PAYMENTS]: { delayMs: 5_000 } },
    first: { kind: 'request', change: ['changed', 'slower'], what: /^POST \/api\/payments$/ },
  },
  'payments are never answered': {
    answers: { [PAYMENTS]: { never: true } },
    first: { kind: 'request', change: ['changed', 'missing'], what: /^POST \/api\/payments$/ },
  },
  'sessions end early': {
    answers: { [PAYMENTS]: { status: 401, body: '{"error":"sign in"}' } },
    first: { kind: 'request', change: ['changed'], what: /^POST \/api\/payments$/ },
  },
  'books cannot be listed': {
    answers: { [BOOKS]: { status: 500, body: '{"error":"out of memory"}' } },
    first: { kind: 'request', change: ['changed'], what: /^GET \/api\/books$/ },
  },
  'books are gone': {
    answers: { [BOOKS]: { status: 200, body: '[]' } },
    first: { kind: 'step', change: ['failed'], what: /toHaveCount|toHaveText|click/i },
  },
  'books are cut off': {
    answers: { [BOOKS]: { status: 200, body: '[{"id":1,"title":"The S' } },
    first: { kind: 'console', change: ['added'], what: /SyntaxError/ },
  },
  'books need a password': {
    answers: { [BOOKS]: { status: 401, body: '{"error":"sign in"}' } },
    first: { kind: 'request', change: ['changed'], what: /^GET \/api\/books$/ },
  },
  'the first page leads elsewhere': {
    answers: {
      'GET /': { status: 302, location: '/sign-in' },
      'GET /sign-in': { status: 200, body: '<h1>Sign in</h1>' },
    },
    first: { kind: 'request', change: ['changed', 'added'], what: /^GET \/(?:sign-in)?$/ },
  },
  'the first page takes long': {
    answers: { 'GET /': { delayMs: 6_000 } },
    first: { kind: 'request', change: ['changed', 'slower', 'missing'], what: /^GET \/$/ },
  },
  'baskets cannot be stored': {
    page: [
      ["await fetch('/api/baskets/", "const stored = await fetch('/api/baskets/"],
      ['basket.push(id)', 'if (!stored.ok) return; basket.push(id)'],
    ],
    answers: { [ITEMS]: { status: 500, body: '{"error":"disk full"}' } },
    first: { kind: 'request', change: ['changed'], what: /^POST \/api\/baskets\/\d+\/items$/ },
  },
  'baskets moved to another address': {
    page: [
      ["await fetch('/api/baskets/", "const stored = await fetch('/api/v2/baskets/"],
      ['basket.push(id)', 'if (!stored.ok) return; basket.push(id)'],
    ],
    first: { kind: 'request', change: ['added', 'missing'], what: /^POST \/api\/(?:v2\/)?baskets\// },
  },
  'books are added twice': {
    page: [
      [
        "await fetch('/api/baskets/",
        "await fetch('/api/baskets/4711/items', { method: 'POST' }); basket.push(id); await fetch('/api/baskets/",
      ],
    ],
    first: { kind: 'request', change: ['repeated'], what: /^POST \/api\/baskets\/\d+\/items$/ },
  },
  'a button does nothing': {
    page: [["article.querySelector('button').onclick", "article.querySelector('p').onclick"]],
    first: { kind: 'request', change: ['missing'], what: /^POST \/api\/baskets\/\d+\/items$/ },
  },
  'a handler throws': {
    page: [['event.preventDefault();', 'event.preventDefault(); undefined.currency;']],
    first: { kind: 'console', change: ['added'], what: /TypeError/ },
  },
  'a label has another text': {
    page: [['Card number', 'Number of your card']],
    first: { kind: 'step', change: ['failed'], what: /fill/i },
  },
  'a button is covered': {
    page: [['<main></main>', '<main></main><div style="position:fixed;inset:0"></div>']],
    first: { kind: 'step', change: ['failed'], what: /click|fill/i },
  },
  'a script cannot be loaded': {
    answers: { 'GET /currency.js': { status: 404, body: 'not found' } },
    first: { kind: 'request', change: ['added', 'changed'], what: /currency\.js$/ },
  },
  'a price is wrong': {
    page: [['price.toFixed(2)', '(price * 1.2).toFixed(2)']],
    first: { kind: 'step', change: ['failed'], what: /toBeVisible|toHaveText|toContainText/i },
  },
  'a new version of the shop thanks in other words': {
    page: [['Thank you for your order', 'Your order is on its way']],
    version: '5.0.0',
    first: { kind: 'version', change: ['changed'], what: /shop/ },
  },
};

/** Runs of the shop as it should be. */
export const HEALTHY_RUNS = 21;
