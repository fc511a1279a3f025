import type { SourceRecord } from "../source-records.ts";
import type { Address, CountryCode } from "./countries.ts";

export const mailDomain = "larkfield.example";

export const offices = {
  berlin: {
    remoteId: "loc_1",
    name: "Berlin",
    type: "headquarters",
    costCentre: "cc_100",
    address: {
      street_address: "Spreeufer 1a",
      locality: "Berlin",
      administrative_area: "Berlin",
      country: "DE",
      post_code: "10179",
    },
  },
  london: {
    remoteId: "loc_2",
    name: "London",
    type: "warehouse",
    costCentre: "cc_200",
    address: {
      street_address: "14 Larkfield Wharf",
      locality: "London",
      administrative_area: "Greater London",
      country: "GB",
      post_code: "SE1 0AA",
    },
  },
  toronto: {
    remoteId: "loc_3",
    name: "Toronto",
    type: "office",
    costCentre: "cc_300",
    address: {
      street_address: "200 Heron Street, Suite 5",
      locality: "Toronto",
      administrative_area: "ON",
      country: "CA",
      post_code: "M5V 0A1",
    },
  },
} as const satisfies Record<
  string,
  {
    remoteId: string;
    name: string;
    type: string;
    costCentre: string;
    address: Address & { country: CountryCode };
  }
>;

export const departments = {
  management: { remoteId: "dep_10", name: "Management" },
  engineering: { remoteId: "dep_20", name: "Engineering" },
  sales: { remoteId: "dep_30", name: "Sales" },
  operations: { remoteId: "dep_40", name: "Operations" },
  people: { remoteId: "dep_50", name: "People & Finance" },
} as const;

export const teams = {
  platform: { remoteId: "team_21", name: "Platform" },
  instruments: { remoteId: "team_22", name: "Messgeräte" },
  warehouse: { remoteId: "team_41", name: "Warehouse" },
} as const;

export type OfficeName = keyof typeof offices;
export type DepartmentName = keyof typeof departments;
export type TeamName = keyof typeof teams;

const companyRecord: SourceRecord<"company"> = {
  remote_id: "co_1",
  legal_name: "Larkfield Instruments GmbH",
  display_name: "Larkfield Instruments",
  tax_id: "DE000000000",
  address: offices.berlin.address,
};

export function listCompanies(): SourceRecord<"company">[] {
  return [companyRecord];
}

export function listWorkLocations(): SourceRecord<"work-locations">[] {
  return Object.values(offices).map(locationRecord);
}

export function locationRecord({
  remoteId,
  name,
  type,
  address,
}: (typeof offices)[OfficeName]): SourceRecord<"work-locations"> & { remote_id: string } {
  return { remote_id: remoteId, name, type, address };
}
