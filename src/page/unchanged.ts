import { Component, type ComponentChildren } from 'preact';

type Props = {
  /** All that the drawing depends on. */
  readonly of: readonly unknown[];
  readonly draw: () => ComponentChildren;
};

/** A part of the page that is drawn again only if a value that it depends on is another one. */
export class Unchanged extends Component<Props> {
  override shouldComponentUpdate({ of }: Props): boolean {
    return of.some((value, index) => value !== this.props.of[index]);
  }

  override render({ draw }: Props): ComponentChildren {
    return draw();
  }
}
