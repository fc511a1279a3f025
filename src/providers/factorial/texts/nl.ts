export const nl = {
  "An administrator makes it in Factorial. It opens everything in the company, and never ends by itself.":
    "Een beheerder maakt de sleutel in Factorial. De sleutel geeft toegang tot alles van het bedrijf en verloopt nooit vanzelf.",
  "This is another company than the one that is connected. Please use the same one as before.":
    "Dit is een ander bedrijf dan het gekoppelde. Gebruik hetzelfde bedrijf als voorheen.",
  "This access shows only what one person may see. Please sign in to Factorial as an administrator and approve it for the company.":
    "Deze toegang toont alleen wat één persoon mag zien. Log als beheerder in bij Factorial en keur de toegang goed voor het bedrijf.",
};
