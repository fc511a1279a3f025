export const de = {
  "An administrator makes it in Factorial. It opens everything in the company, and never ends by itself.":
    "Administratoren erstellen ihn in Factorial. Er öffnet alles im Unternehmen und läuft nie von selbst ab.",
  "This is another company than the one that is connected. Please use the same one as before.":
    "Dies ist ein anderes Unternehmen als das verbundene. Bitte verwenden Sie dasselbe wie zuvor.",
  "This access shows only what one person may see. Please sign in to Factorial as an administrator and approve it for the company.":
    "Dieser Zugriff zeigt nur, was eine einzelne Person sehen darf. Bitte melden Sie sich bei Factorial mit Administratorrechten an und genehmigen Sie ihn für das Unternehmen.",
};
