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

/** These do no harm: text that nobody escaped, and declarations of documents behind the first. */
const HARMLESS = /^(?:Invalid character entity|Invalid character in entity name|Inappropriately located doctype)/;
const TOO_LONG = /^Max buffer length exceeded: (\w+)/;
const KEPT_OF_TOO_LONG = 8 * 1024;

/** Entities that a document declares are never expanded; a name or value that never ends does not fill the memory. */
export const readXml = (events: XmlEvents): XmlReader => {
  const parser = sax.parser(true, { position: true });
  const open: string[] = [];
  let isEnding = false;
  const broken = (message: string): void => events.broken(message, parser.line + 1);
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
  return {
    write: (text) => void parser.write(text),
    end() {
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
