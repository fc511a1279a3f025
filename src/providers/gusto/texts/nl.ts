export const nl = {
  "No company was approved. Please continue to Gusto again and choose the one to connect.":
    "Er is geen bedrijf goedgekeurd. Ga opnieuw naar Gusto en kies het bedrijf dat u wilt koppelen.",
  "This is another company than the one that is connected. Please choose the same one at Gusto.":
    "Dit is een ander bedrijf dan het gekoppelde. Kies bij Gusto hetzelfde bedrijf.",
  "Nothing of this company may be read. Please approve as its primary administrator, or as one with full access.":
    "Van dit bedrijf mag niets worden gelezen. Geef goedkeuring als hoofdbeheerder van het bedrijf, of als beheerder met volledige toegang.",
};
