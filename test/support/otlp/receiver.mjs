// A receiver of OTLP over HTTP (https://opentelemetry.io/docs/specs/otlp/#otlphttp), in a process of its own. Prints
// its port; GET /received has everything that was sent so far, decoded.
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

const hex = (bytes) => bytes.toString('hex');
const text = (bytes) => bytes.toString('utf8');
const double = (bytes) => bytes.readDoubleLE();
const number = (bytes) => Number(bytes.readBigUInt64LE());

/** A request has resources, a resource has scopes, a scope has the data. */
function requestOf(name, kind) {
  const scope = { 2: [name, [kind]] };
  return { 1: ['resources', [{ 2: ['scopes', [scope]] }]] };
}

const VALUE = {
  1: ['string', text],
  2: ['bool', Boolean],
  3: ['int', Number],
  4: ['double', double],
};
const ATTRIBUTE = { 1: ['key', text], 2: ['value', VALUE] };
const SPAN = {
  1: ['traceId', hex],
  2: ['spanId', hex],
  4: ['parentSpanId', hex],
  5: ['name', text],
  7: ['start', number],
  8: ['end', number],
  9: ['attributes', [ATTRIBUTE]],
  15: ['status', { 2: ['message', text], 3: ['code', Number] }],
};
const TRACES = requestOf('spans', SPAN);
const SUM_POINT = { 4: ['value', double], 6: ['value', number], 7: ['attributes', [ATTRIBUTE]] };
const HISTOGRAM_POINT = {
  4: ['count', number],
  5: ['sum', double],
  9: ['attributes', [ATTRIBUTE]],
};
const METRIC = {
  1: ['name', text],
  3: ['unit', text],
  7: ['sum', { 1: ['points', [SUM_POINT]] }],
  9: ['histogram', { 1: ['points', [HISTOGRAM_POINT]] }],
};
const METRICS = requestOf('metrics', METRIC);

/** Decode a message of Protocol Buffers (https://protobuf.dev/programming-guides/encoding/) by the fields of its kind. */
function decode(bytes, fields) {
  const message = {};
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError('the message ends too early');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length) => {
    if (at + length > bytes.length) throw new RangeError('the message ends too early');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const values = { 0: varint, 1: () => take(8), 2: () => take(Number(varint())), 5: () => take(4) };
  while (at < bytes.length) {
    const tag = Number(varint());
    const read = values[tag & 7];
    if (read === undefined) throw new RangeError(`there is no wire type ${tag & 7}`);
    const raw = read();
    const [name, kind] = fields[tag >> 3] ?? [];
    if (name === undefined) continue;
    if (Array.isArray(kind)) (message[name] ??= []).push(decode(raw, kind[0]));
    else message[name] = typeof kind === 'function' ? kind(raw) : decode(raw, kind);
  }
  return message;
}

const toAttributes = (attributes = []) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value ?? {})[0]]));
const withAttributes = (one) => ({ ...one, attributes: toAttributes(one.attributes) });
const scopesOf = ({ resources = [] }) => resources.flatMap(({ scopes = [] }) => scopes);

const received = { spans: [], metrics: [], refused: [] };
const SIGNALS = {
  '/v1/traces': (body) =>
    received.spans.push(
      ...scopesOf(decode(body, TRACES)).flatMap(({ spans = [] }) => spans.map(withAttributes)),
    ),
  '/v1/metrics': (body) => {
    received.metrics = scopesOf(decode(body, METRICS)).flatMap(({ metrics = [] }) =>
      metrics.map(({ name, unit, sum, histogram }) => ({
        name,
        unit,
        points: (sum ?? histogram)?.points?.map(withAttributes) ?? [],
      })),
    ); // cumulative: the newest says all
  },
};

const server = createServer(async (request, response) => {
  if (request.url === '/received') return response.end(JSON.stringify(received));
  try {
    const sent = await buffer(request);
    const type = request.headers['content-type'];
    if (type !== 'application/x-protobuf') throw new TypeError(`the content type is ${type}`);
    const take = SIGNALS[request.url];
    if (take === undefined) throw new TypeError(`there is no ${request.url}`);
    take(request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent);
    response.writeHead(200, { 'content-type': type }).end(); // an empty message: all was taken
  } catch (error) {
    received.refused.push(String(error));
    response.writeHead(400).end();
  }
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
