/** Bounds on what a tree may be and what evaluating it may cost. Each is refused as `limit.<name>`. */
export interface Limits {
  readonly textBytes: number;
  readonly nodes: number;
  readonly depth: number;
  readonly stringLength: number;
  /** Arguments of a call, properties of an object, elements of an array. */
  readonly items: number;
  readonly bigintDigits: number;
  readonly regexpLength: number;
  readonly lambdaNesting: number;
  readonly steps: number;
  readonly outputStringLength: number;
  readonly outputArrayLength: number;
}

export const LIBRARY_LIMITS: Limits = {
  textBytes: 256 * 1024,
  nodes: 10_000,
  depth: 256,
  stringLength: 64 * 1024,
  items: 1_000,
  bigintDigits: 1_000,
  regexpLength: 500,
  lambdaNesting: 8,
  steps: 1_000_000,
  outputStringLength: 1024 * 1024,
  outputArrayLength: 100_000,
};

/** For what strangers send to a dashboard. */
export const DASHBOARD_LIMITS: Limits = /* @__PURE__ */ Object.assign({}, LIBRARY_LIMITS, {
  textBytes: 32 * 1024,
  nodes: 500,
  depth: 32,
  lambdaNesting: 2,
});
