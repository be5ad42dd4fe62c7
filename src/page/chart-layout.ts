/** The places of the states of a machine in a drawing: inner states lie in their parent, in rows. */

export type Chart = {
  readonly states: readonly ChartState[];
  readonly arrows: readonly ChartArrow[];
};
/** A state by its path, such as `living.idle`. */
export type ChartState = {
  readonly id: string;
  readonly isInitial: boolean;
  readonly isFinal: boolean;
};
export type ChartArrow = { readonly from: string; readonly to: string; readonly label: string };

export type Box = ChartState & {
  readonly name: string;
  readonly isCompound: boolean;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

const CHARACTER = 7.5;
const HEIGHT = 28;
const GAP = 26;
const TITLE = 24;
const MOST_WIDTH = 520;

/** All boxes, parents first, with the size of the drawing. */
export function layOutChart({ states }: Chart): {
  readonly boxes: readonly Box[];
  readonly width: number;
  readonly height: number;
} {
  return layOutIn('', states, { x: 1, y: 1 });
}

function layOutIn(
  parent: string,
  states: readonly ChartState[],
  origin: { readonly x: number; readonly y: number },
): ReturnType<typeof layOutChart> {
  const boxes: Box[] = [];
  let [x, y, rowHeight, width] = [origin.x, origin.y, 0, 0];
  for (const state of states.filter(({ id }) => parentOf(id) === parent)) {
    let placed = place(state, states, { x, y });
    if (x > origin.x && x - origin.x + placed.own.width > MOST_WIDTH) {
      [x, y, rowHeight] = [origin.x, y + rowHeight + GAP, 0];
      placed = place(state, states, { x, y });
    }
    boxes.push(placed.own, ...placed.inner);
    x += placed.own.width + GAP;
    rowHeight = Math.max(rowHeight, placed.own.height);
    width = Math.max(width, x - GAP - origin.x);
  }
  return { boxes, width, height: y + rowHeight - origin.y };
}

function place(
  state: ChartState,
  states: readonly ChartState[],
  { x, y }: { readonly x: number; readonly y: number },
): { readonly own: Box; readonly inner: readonly Box[] } {
  const name = state.id.split('.').at(-1) ?? '';
  const isCompound = states.some(({ id }) => parentOf(id) === state.id);
  const leaf = { width: name.length * CHARACTER + 26, height: HEIGHT };
  const inside = layOutIn(state.id, states, { x: x + GAP / 2, y: y + TITLE + GAP / 4 });
  const size = isCompound
    ? {
        width: Math.max(leaf.width, inside.width + GAP),
        height: inside.height + TITLE + (GAP * 3) / 4,
      }
    : leaf;
  return { own: { ...state, name, isCompound, x, y, ...size }, inner: inside.boxes };
}

function parentOf(id: string): string {
  return id.split('.').slice(0, -1).join('.');
}

/** The curve of an arrow from the edge of one box to the edge of another. */
export function curveOf(from: Box, to: Box): string {
  const [a, b] = [centerOf(from), centerOf(to)];
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const bend = { x: (a.x + b.x) / 2 - dy * 0.14, y: (a.y + b.y) / 2 + dx * 0.14 };
  const [start, end] = [edgeOf(from, bend), edgeOf(to, bend)];
  return `M${start.x} ${start.y} Q${bend.x} ${bend.y} ${end.x} ${end.y}`;
}

type Point = { readonly x: number; readonly y: number };

function centerOf({ x, y, width, height }: Box): Point {
  return { x: x + width / 2, y: y + height / 2 };
}

function edgeOf(box: Box, towards: Point): Point {
  const { x, y } = centerOf(box);
  const [dx, dy] = [towards.x - x, towards.y - y];
  const share = Math.min(
    1,
    box.width / 2 / Math.max(Math.abs(dx), 1e-6),
    box.height / 2 / Math.max(Math.abs(dy), 1e-6),
  );
  return { x: Math.round(x + dx * share), y: Math.round(y + dy * share) };
}
