/** When the last run of the demo was over; the browsers of the tests take it for now. */
export const DEMO_END = new Date('2026-03-12T16:00:00Z');
