import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createLineEditor } from '../../../../src/cli/terminal/plain/line-editor.js';
import { loadTextWidth } from '../../../../src/cli/output/text-width.js';
import { fakeOutput } from '../../../support/outputs.js';

const width = await loadTextWidth();

/** A person at a terminal that draws nothing by itself. `screen` is what can be read on it now. */
function sitDown(columns = 80) {
  const raw: boolean[] = [];
  const input = Object.assign(new PassThrough(), { setRawMode: (on: boolean) => raw.push(on) });
  const output = fakeOutput({ columns });
  const told: string[] = [];
  const editor = createLineEditor({
    input,
    output: output.writer,
    width,
    onPrompt: (text) => told.push(`prompt ${JSON.stringify(text)}`),
    onInterrupt: ({ isEmpty, drop }) => {
      told.push(`interrupt, ${isEmpty ? 'empty' : 'typed'}`);
      drop();
    },
    onBackground: () => told.push('background'),
    onEnd: () => told.push('end'),
  });
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    editor,
    told,
    raw,
    async type(keys: string) {
      input.write(keys);
      await settled();
      await settled();
    },
    async screen() {
      await settled();
      return draw(output.text(), columns);
    },
    written: output.text,
    ask: (signal = new AbortController().signal) => editor.open('ada asks to use Bash.', signal),
  };
}

const UP = '\u001b[A';
/** From Node 24 on the key moves within a prompt of several lines before it leaves it. */
const OVER_TWO_LINES = UP.repeat(Number.parseInt(process.versions.node, 10) < 24 ? 1 : 2);
const CTRL_A = '\u0001';
const ANNOUNCED =
  'ada asks to use Bash. Send or clear what you type, or press Tab, to see the\n  request.';

/** A terminal of the smallest kind: cursor up and down, to a column, clear to the end; a full row continues in the next. */
function draw(text: string, columns: number): string {
  const rows: string[] = [''];
  let row = 0;
  let column = 0;
  const write = (char: string): void => {
    if (char === '\r') column = 0;
    else if (char === '\n') {
      row += 1;
      column = 0; // as a program sets terminals to
      rows[row] ??= '';
    } else {
      if (column === columns) write('\n');
      const line = (rows[row] ?? '').padEnd(column);
      rows[row] = line.slice(0, column) + char + line.slice(column + 1);
      column += 1;
    }
  };
  for (const [index, piece] of text.split('\u001b[').entries()) {
    const [code = '', count = '', kind = ''] =
      index === 0 ? [] : (/^\??([\d;]*)([A-Za-z])/.exec(piece) ?? []);
    if (kind === 'A') row = Math.max(0, row - Number(count || 1));
    if (kind === 'B') row += Number(count || 1);
    if (kind === 'G') column = Number(count || 1) - 1;
    if (kind === 'J') {
      rows.length = row + 1;
      rows[row] = (rows[row] ?? '').slice(0, column);
    }
    for (const char of piece.slice(code.length)) write(char);
  }
  return rows.join('\n');
}

describe('a terminal that has a width', () => {
  it('gets streamed words whole, and a prompt below them', async () => {
    const { editor, screen } = sitDown(12);
    editor.start();
    for (const piece of ['one two thr', 'ee four', 'teen']) editor.write(piece);
    editor.endLine();
    editor.print('five sixteen');
    expect(await screen()).toBe('one two\nthree\nfourteen\nfive sixteen\n> ');
  });

  it('gets a path that is longer than a line in one piece, to be copied', async () => {
    const { editor, written } = sitDown(12);
    editor.start();
    editor.print('Its journal: /a/path/of/many/folders');
    expect(written()).toContain('Its journal:\n  /a/path/of/many/folders\n');
  });

  it('gets the word that has begun when somebody begins to type', async () => {
    const { editor, screen, type } = sitDown(12);
    editor.start();
    editor.write('one two thr');
    await type('x');
    expect(await screen()).toBe('one two thr\n> x');
  });
});

describe('the line editor', () => {
  it('sends a line, and draws the prompt again below the output', async () => {
    const { editor, told, type, screen } = sitDown();
    editor.start();
    await type('hello\r');
    expect(told).toEqual(['prompt "hello"']);
    editor.print('An answer.');
    expect(await screen()).toBe('> hello\nAn answer.\n> ');
  });

  it('shows text as it comes, and the prompt when its line ends', async () => {
    const { editor, screen } = sitDown();
    editor.start();
    editor.write('One ');
    expect(await screen()).toBe('One');
    editor.write('two');
    editor.endLine();
    expect(await screen()).toBe('One two\n> ');
  });

  it('keeps what is typed below text that comes in whole lines then', async () => {
    const { editor, type, screen, told } = sitDown();
    editor.start();
    editor.write('One ');
    await type('ne');
    editor.write('two\nthr');
    expect(await screen()).toBe('One \ntwo\n> ne');
    await type('xt\r');
    expect(told).toEqual(['prompt "next"']);
    editor.write('ee\n');
    expect(await screen()).toBe('One \ntwo\n> next\nthr\nee\n> ');
  });

  it('erases a prompt of several rows whole', async () => {
    const { editor, type, screen } = sitDown();
    editor.start();
    await type('x'.repeat(100));
    editor.print('told');
    const lines = (await screen()).split('\n');
    expect(lines.filter((line) => line.includes('told'))).toEqual(['told']);
    expect(lines.join('').match(/x/g)).toHaveLength(100);
  });

  it('draws a line of several rows once, however many keys come at a time', async () => {
    for (const typed of ['abcdefghij', 'abcdefghijklmnop', 'abcdefghijklmnopqrstuvwxyz']) {
      const { editor, type, screen } = sitDown(12);
      editor.start();
      await type(typed);
      await type(CTRL_A);
      await type('X');
      const rows = `> X${typed}`.match(/.{1,12}/g) ?? [];
      expect(await screen()).toBe(rows.join('\n'));
    }
  });

  it('joins lines that end with a backslash', async () => {
    const { editor, told, type } = sitDown();
    editor.start();
    await type('one\\\r');
    await type('two\r');
    expect(told).toEqual(['prompt "one\\ntwo"']);
  });

  it('takes a pasted text for one prompt', async () => {
    const { editor, told, type, screen } = sitDown();
    editor.start();
    await type('see \u001b[200~one\rtwo\r\u001b[201~');
    expect(told).toEqual([]);
    expect(await screen()).toBe('> see [paste 1: 2 lines]');
    await type('\r');
    expect(told).toEqual(['prompt "see one\\ntwo\\n"']);
    await type('\u001b[200~a\u001b[2Kb\u001b[201~\r');
    expect(told.slice(1)).toEqual(['prompt "a[2Kb"']);
  });

  it('brings back earlier prompts, and no answers', async () => {
    const { editor, told, type, ask } = sitDown();
    editor.start();
    await type('first\r');
    const place = await ask();
    const line = place.nextLine();
    await type('y\r');
    expect(await line).toEqual({ text: 'y', isPasted: false });
    place.close();
    await type('\u001b[A\r');
    expect(told).toEqual(['prompt "first"', 'prompt "first"']);
  });

  it('brings back a prompt of several lines whole, with what was pasted', async () => {
    const { editor, told, type, screen } = sitDown();
    editor.start();
    await type('one\\\r');
    await type('two\r');
    await type('see \u001b[200~three\rfour\u001b[201~\r');
    await type(`${UP}${OVER_TWO_LINES}`);
    expect(await screen()).toMatch(/\n> one\n(\| )?two$/);
    await type('!\r');
    await type(`${UP}${OVER_TWO_LINES}\r`);
    expect(told).toEqual([
      'prompt "one\\ntwo"',
      'prompt "see three\\nfour"',
      'prompt "one\\ntwo!"',
      'prompt "see three\\nfour"',
    ]);
  });

  it.each([
    ['an escape sequence', '\u001b]52;c;AAAA\u0007'],
    ['a C1 control', '\u009b2J'],
    ['a direction override', '\u202e'],
  ])('brings back a paste with %s under its name, and sends it as it was', async (_, sent) => {
    const { editor, told, type, screen, written } = sitDown();
    editor.start();
    await type(`see \u001b[200~one${sent}\rtwo\u001b[201~\r`);
    await type(UP);
    expect(await screen()).toMatch(/\n> see \[paste 1: 2 lines\]$/);
    expect(written()).not.toContain(sent);
    await type('\r');
    const prompt = `prompt ${JSON.stringify(`see one${sent}\ntwo`)}`;
    expect(told).toEqual([prompt, prompt]);
  });

  it('takes no direction characters and no C1 controls, typed or pasted in a line', async () => {
    const { editor, told, type } = sitDown();
    editor.start();
    await type('\u202ea\u2066b\u2069\u009bc\u001b[200~\u202dd\u202c\u009be\u001b[201~\r');
    expect(told).toEqual(['prompt "abcde"']);
  });

  it('keeps a prompt in the history that an answer repeats', async () => {
    const { editor, told, type, ask } = sitDown();
    editor.start();
    await type('y\r');
    const place = await ask();
    const line = place.nextLine();
    await type('y\r');
    expect(await line).toEqual({ text: 'y', isPasted: false });
    place.close();
    await type(`${UP}\r`);
    expect(told).toEqual(['prompt "y"', 'prompt "y"']);
  });

  it('deletes a character as a person sees it: a family of emoji at one Backspace', async () => {
    const { editor, told, type } = sitDown();
    editor.start();
    await type('hi \u{1f469}\u200d\u{1f467}\u007f\u0646\u0650\u007f!\r');
    expect(told).toEqual(['prompt "hi !"']);
  });

  it('announces a request while something is typed, and shows it when that is sent', async () => {
    const { editor, told, type, ask, screen } = sitDown();
    editor.start();
    await type('look at plan ');
    let isOpen = false;
    const opening = ask().then((place) => {
      isOpen = true;
      return place;
    });
    await type('1');
    expect(await screen()).toBe(`${ANNOUNCED}\n> look at plan 1`);
    await type('\r');
    expect({ told, isOpen }).toEqual({ told: ['prompt "look at plan 1"'], isOpen: false });
    const place = await opening;
    const line = place.nextLine();
    await type('4\r');
    expect(await line).toEqual({ text: '4', isPasted: false });
  });

  it('puts a draft aside at Tab, and back behind the request', async () => {
    const { editor, told, type, ask, screen } = sitDown();
    editor.start();
    await type('a draft');
    const opening = ask();
    await type('\t');
    const place = await opening;
    place.show([{ text: 'Allowed?' }]);
    const line = place.nextLine();
    await type('hm\r');
    expect((await line)?.text).toBe('hm');
    const next = place.nextLine();
    await type('y\r');
    expect((await next)?.text).toBe('y');
    place.close();
    expect(await screen()).toBe(`${ANNOUNCED}\nAllowed?\n> hm\n> y\n> a draft`);
    await type('!\r');
    expect(told).toEqual(['prompt "a draft!"']);
  });

  it('waits until no key comes before a request is shown', async () => {
    const { editor, type, ask } = sitDown();
    editor.start();
    const from = performance.now();
    await type('x\u007f');
    await ask();
    expect(performance.now() - from).toBeGreaterThan(600);
  });

  it('shows no request that is withdrawn while something is typed', async () => {
    const { editor, type, ask } = sitDown();
    editor.start();
    await type('a draft');
    const over = new AbortController();
    const opening = ask(over.signal);
    over.abort(new Error('withdrawn'));
    await expect(opening).rejects.toThrow('withdrawn');
  });

  it.each([
    ['a paste that is marked', '\u001b[200~1\u001b[201~\r'],
    ['several lines at once', '1\ryes\r'],
  ])('says that a line is pasted: %s', async (_, keys) => {
    const { editor, type, ask } = sitDown();
    editor.start();
    const place = await ask();
    const line = place.nextLine();
    await type(keys);
    expect(await line).toEqual({ text: '1', isPasted: true });
  });

  it('forgets lines that nobody waited for', async () => {
    const { editor, type, ask } = sitDown();
    editor.start();
    const place = await ask();
    await type('1\r');
    const line = place.nextLine();
    await type('4\r');
    expect((await line)?.text).toBe('4');
  });

  it('tells Ctrl-C, Ctrl-B and Ctrl-D', async () => {
    const { editor, told, type, screen } = sitDown();
    editor.start();
    await type('typed');
    await type('\u0003');
    expect(await screen()).toBe('> ');
    await type('\u0003\u0002');
    await type('\u001a'); // Ctrl-Z
    await type('\u0004');
    expect(told).toEqual(['interrupt, typed', 'interrupt, empty', 'background', 'end']);
  });

  it('gives the terminal back as it was, once', async () => {
    const { editor, raw, type, told, screen, written, ask } = sitDown();
    editor.start();
    const line = (await ask()).nextLine();
    editor.write('half');
    editor.close();
    editor.close();
    expect(await line).toBeUndefined();
    await type('x\r');
    expect(raw).toEqual([true, false]);
    expect(told).toEqual([]);
    expect(await screen()).toBe('half\n');
    expect(written().endsWith('\u001b[?2004l')).toBe(true);
  });
});
