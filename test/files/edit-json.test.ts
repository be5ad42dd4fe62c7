import { expect, it } from 'vitest';
import { withEdit } from '../../src/files/edit-json.js';

it('adds a value with the indentation and the line ends of the file, and keeps its comments', () => {
  const text = '{\r\n\t// mine\r\n\t"servers": {\r\n\t\t"a": 1\r\n\t}\r\n}\r\n';
  expect(withEdit(text, { path: ['servers', 'b'], value: { url: 'x' } })).toBe(
    '{\r\n\t// mine\r\n\t"servers": {\r\n\t\t"a": 1,\r\n\t\t"b": {\r\n\t\t\t"url": "x"\r\n\t\t}\r\n\t}\r\n}\r\n',
  );
});

it('indents by two spaces if the file does not show how', () => {
  expect(withEdit('{}\n', { path: ['a'], value: 1 })).toBe('{\n  "a": 1\n}\n');
});
