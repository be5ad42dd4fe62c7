/**
 * A language server that records what it receives and misbehaves on request. The answer to hover is the record, one
 * message a line. `argv[2]` chooses its behaviour.
 */
import { writeFileSync, writeSync } from 'node:fs';

const behaviour = process.argv[2] ?? 'good';
const record = [];
const asked = new Map();
/** Changes that are not judged; `slow` judges them with the next request. */
const late = [];
/** The newest text of each document. */
const texts = new Map();
/** The client asks for diagnostics; none are published. */
const pulls = behaviour.startsWith('pull');
let input = Buffer.alloc(0);

const send = (message) => {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  writeSync(1, `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
};
const hover = (id) =>
  send({ id, result: { contents: { kind: 'plaintext', value: record.join('\n') } } });
const publish = (uri, version, messages) =>
  send({
    method: 'textDocument/publishDiagnostics',
    params: { uri, version, diagnostics: messages.map(toDiagnostic) },
  });
const toDiagnostic = (message, line) => ({
  range: { start: { line, character: 0 }, end: { line, character: 1 } },
  severity: 1,
  source: 'fake',
  message,
});

/** Each line that begins with "error" is one. */
const errorsIn = (text) => text.split('\n').filter((line) => line.startsWith('error'));
const judge = ({ uri, version }, text) => {
  texts.set(uri, text);
  if (!pulls) publish(uri, version, errorsIn(text));
};

const QUESTIONS = [
  ['workspace/applyEdit', { edit: { changes: {} } }],
  ['workspace/configuration', { items: [{ section: 'fake.level' }, { section: 'none' }] }],
  ['window/showMessageRequest', { type: 1, message: 'Delete all?', actions: [{ title: 'Yes' }] }],
  ['workspace/executeAnything', {}],
];

const misbehave = {
  headers: () => {
    for (let count = 0; count < 100; count += 1)
      writeSync(1, 'X-Padding: aaaaaaaaaaaaaaaa'.repeat(10));
  },
  huge: () => writeSync(1, 'Content-Length: 4294967296\r\n\r\n{'),
  garbage: () => writeSync(1, 'Content-Length: 5\r\n\r\n{oops'),
  deep: () => {
    const body = `{"jsonrpc":"2.0","id":1,"result":${'['.repeat(2_000)}${']'.repeat(2_000)}}`;
    writeSync(1, `Content-Length: ${body.length}\r\n\r\n${body}`);
  },
  nonsense: (id) => send({ id, result: { contents: 7 } }),
  refuse: (id) => send({ id, error: { code: -32_603, message: 'I would rather not.' } }),
  silent: (id) => {
    if (record.includes('$/cancelRequest')) hover(id);
    else writeFileSync('asked', '');
  },
  crash: () => {
    send({ method: 'window/showMessage', params: { type: 1, message: 'x'.repeat(100_000) } });
    send({ method: 'window/showMessage', params: { type: 1, message: 'Out of ideas.' } });
    process.exitCode = 3;
    process.stdin.destroy();
  },
  ask: (id) => {
    for (const [index, [method, params]] of QUESTIONS.entries()) {
      asked.set(`q${index}`, method);
      send({ id: `q${index}`, method, params });
    }
    asked.set('hover', id);
  },
};

const answers = {
  initialize: (id, params) => {
    record.push(`initialize ${params.rootPath} ${JSON.stringify(params.initializationOptions)}`);
    const diagnosticProvider = { interFileDependencies: false, workspaceDiagnostics: false };
    const capabilities = pulls ? { diagnosticProvider } : {};
    if (behaviour !== 'mute') send({ id, result: { capabilities } });
  },
  'textDocument/hover': (id) => (misbehave[behaviour] ?? hover)(id),
  'textDocument/diagnostic': (id, { textDocument }) => {
    const items = errorsIn(texts.get(textDocument.uri)).map(toDiagnostic);
    if (behaviour === 'pull-refused') send({ id, error: { code: -32_802, message: 'Later.' } });
    else send({ id, result: { kind: 'full', items } });
  },
  'textDocument/definition': (id, { textDocument }) =>
    send({
      id,
      result: {
        uri: textDocument.uri,
        range: { start: { line: 2, character: 4 }, end: { line: 2, character: 9 } },
      },
    }),
};

function handle({ id, method, params, result, error }) {
  if (method === undefined) {
    record.push(`${asked.get(id)} → ${JSON.stringify(error ?? result)}`);
    asked.delete(id);
    if (asked.size === 1 && asked.has('hover')) hover(asked.get('hover'));
    return;
  }
  const { textDocument, contentChanges } = params ?? {};
  if (id === undefined && method !== 'initialized') {
    const name = textDocument?.uri.split('/').at(-1) ?? '';
    record.push([method, name, textDocument?.version ?? ''].join(' ').trim());
  }
  if (method === 'textDocument/didOpen') judge(textDocument, textDocument.text);
  if (method === 'textDocument/didChange') late.push([textDocument, contentChanges[0].text]);
  if (behaviour !== 'slow' || id !== undefined) for (const one of late.splice(0)) judge(...one);
  if (id !== undefined) answers[method]?.(id, params);
}

process.stdin.on('data', (chunk) => {
  input = Buffer.concat([input, chunk]);
  for (;;) {
    const end = input.indexOf('\r\n\r\n');
    const length = Number(/Content-Length: (\d+)/i.exec(input.toString('latin1', 0, end))?.[1]);
    if (end === -1 || input.length < end + 4 + length) return;
    const body = input.toString('utf8', end + 4, end + 4 + length);
    input = input.subarray(end + 4 + length);
    handle(JSON.parse(body));
  }
});
