/**
 * A book as the server sends it: the counterpart of `croupier.protocol.book_view`.
 * These types stand here until they are generated from there.
 */

/** Along, across, along_to, across_to: whole units of the felt. */
export type Rect = [number, number, number, number];
/** Along and across, in halves of a unit. */
export type Point = [number, number];
/** Along, across, along_to, across_to, in halves of a unit: an area, a stretch of a line, or a point. */
export type Extent = [number, number, number, number];

export type Shape = 'centre' | 'line' | 'crossing' | 'outside-line' | 'outside-box';
export type Colour = 'red' | 'black' | 'green' | 'symbol';

export interface PlaceView { shape: Shape; at: Point; extent: Extent }
export interface CellView { number: string; rect: Rect }
export interface BoxView { bet: string; kind: string; label: string; rect: Rect }

export interface SpotView {
  bet: string;
  kind: string;
  name: string;
  numbers: string[];
  pays: number;
  probability: string;
  house_edge: string;
  place: PlaceView;
}

export interface OutcomeView { id: string; label: string; mark: string; colour: Colour; tint: number; pockets: number }
export interface WheelView { kind: 'ball' | 'clapper'; order: string[]; outcomes: OutcomeView[] }

export interface PieceView { bet: string; pieces: number }
export interface CallView { name: string; label: string; clause: string; pieces: number; parts: PieceView[] }
/** First and last place in the wheel's order; the last may lie before the first. */
export type Arc = [number, number];
export interface SectorView { call: string; arcs: Arc[] }
export interface NeighboursView { label: string; reaches: number[]; calls: Record<string, string[]> }
export interface FinalesView { label: string; calls: Record<string, string> }
export interface RacetrackView { sectors: SectorView[]; neighbours: NeighboursView | null; finales: FinalesView | null }

export interface LayoutView {
  id: string;
  title: string;
  clause: string;
  cells: CellView[];
  boxes: BoxView[];
  spots: SpotView[];
  calls: CallView[];
  racetrack: RacetrackView | null;
}

export interface NoticeView { text: string; source: string }
export interface RuleView { id: string; kind: string; summary: string }
export interface PayLine {
  kind: string;
  name: string;
  covers: number;
  pays: number;
  probability: string;
  house_edge: string;
  house_edge_percent: number;
  clause: string;
}

export interface BookView {
  id: string;
  title: string;
  operator: string;
  version: string;
  effective: string;
  currency: string;
  sha256: string;
  terminal: string | null;
  terminal_title: string | null;
  marks_boxes: boolean;
  wheel: WheelView;
  layout: LayoutView;
  kind_names: Record<string, string>;
  notices: Record<string, NoticeView>;
  citations: Record<string, string>;
  pay_table: PayLine[];
  rules: RuleView[];
}
