import sax from 'sax';

export type Attributes = Readonly<Record<string, string>>;

export interface XmlEvents {
  open(name: string, attributes: Attributes): void;
  /** Text and CDATA; a long one comes in pieces. */
  text(text: string): void;
  close(name: string): void;
  /** What is not well-formed; reading goes on behind it. The line counts from 1. */
  broken(message: string, line: number): void;
}

export interface XmlReader {
  write(text: string): void;
  /** Tells about elements that were never closed. */
  end(): void;
}

/** Around all roots, so that a file may have several and several documents. */
const AROUND = 'documents';

const CDATA_START = '<![CDATA[';
const CDATA_END = ']]>';

/** These do no harm: text that nobody escaped, and declarations of documents behind the first. */
const HARMLESS = /^(?:Invalid character entity|Invalid character in entity name|Inappropriately located doctype)/;
const TOO_LONG = /^Max buffer length exceeded: (\w+)/;
const KEPT_OF_TOO_LONG = 8 * 1024;

/** Entities that a document declares are never expanded; a name or value that never ends does not fill the memory. */
export const readXml = (events: XmlEvents): XmlReader => {
  const parser = sax.parser(true, { position: true });
  const open: string[] = [];
  let isEnding = false;
  let inCdata = false;
  /** Of a CDATA section, what may be the beginning of its end. */
  let held = '';
  let skippedLines = 0;
  const broken = (message: string): void => events.broken(message, parser.line + skippedLines + 1);
  Object.assign(parser, {
    onopentag({ name, attributes }: sax.Tag) {
      open.push(localName(name));
      if (open.length > 1) events.open(open[open.length - 1]!, attributes);
    },
    onclosetag() {
      const name = open.pop()!;
      if (open.length > 0) events.close(name);
    },
    ontext: (text: string) => events.text(text),
    oncdata: (text: string) => events.text(text),
    onopencdata: () => void (inCdata = true),
    onclosecdata: () => void (inCdata = false),
    onerror(error: Error) {
      parser.resume();
      if (isEnding) return;
      const message = error.message.split('\n')[0]!;
      const buffer = TOO_LONG.exec(message)?.[1];
      if (buffer !== undefined) shortenBuffer(parser, buffer);
      else if (!HARMLESS.test(message)) broken(message.replace(/\.$/, ''));
    },
  });
  parser.write(`<${AROUND}>`);

  /** The parser takes CDATA, which is most of a large report, letter by letter; here it is taken at once. */
  const passCdata = (text: string): string => {
    const whole = held + text;
    const end = whole.indexOf(CDATA_END);
    const told = end >= 0 ? whole.slice(0, end) : whole.slice(0, 1 - CDATA_END.length);
    held = end >= 0 ? '' : whole.slice(told.length);
    for (let at = told.indexOf('\n'); at >= 0; at = told.indexOf('\n', at + 1)) skippedLines++;
    if (told !== '') events.text(told);
    if (end < 0) return '';
    parser.write(CDATA_END);
    return whole.slice(end + CDATA_END.length);
  };

  return {
    write(text) {
      let rest = text;
      while (rest !== '') {
        if (inCdata) {
          rest = passCdata(rest);
          continue;
        }
        const start = rest.indexOf(CDATA_START);
        const end = start < 0 ? rest.length : start + CDATA_START.length;
        parser.write(rest.slice(0, end));
        rest = rest.slice(end);
      }
    },
    end() {
      if (held !== '') events.text(held);
      if (open.length > 1) broken(`it ends inside of <${open[open.length - 1]}>`);
      // The element around all of them is never closed.
      isEnding = true;
      parser.close();
    },
  };
};

const shortenBuffer = (parser: sax.SAXParser, name: string): void => {
  const buffers = parser as unknown as Record<string, string>;
  buffers[name] = buffers[name]!.slice(0, KEPT_OF_TOO_LONG);
};

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
