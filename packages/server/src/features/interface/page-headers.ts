import { inlineScriptHashes } from '../../http/html.ts';

/**
 * What the pages of the interface may load: only what comes from here. User content is text in them, never markup.
 * Uploaded scripts come from here too, so there is a second policy, and both must allow a script: it is the one in the
 * page, or that one has imported it.
 */
export const pageHeaders = (page: string, reportsUrl: string | null): Readonly<Record<string, string>> => ({
  'content-security-policy': [
    "default-src 'none'",
    `script-src 'self' ${inlineScriptHashes(page).join(' ')}`,
    "worker-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "media-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    `frame-src 'self'${reportsUrl === null ? '' : ` ${reportsUrl}`}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
    .join('; ')
    .concat(`, script-src 'strict-dynamic' ${inlineScriptHashes(page).join(' ')}; worker-src 'self'`),
  ...FRAMED_NOWHERE,
});

const FRAMED_NOWHERE = {
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
};

/** A page of one inline style sheet, which loads nothing. */
export const PLAIN_PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ...FRAMED_NOWHERE,
};
