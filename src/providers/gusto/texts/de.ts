export const de = {
  "No company was approved. Please continue to Gusto again and choose the one to connect.":
    "Es wurde keine Firma freigegeben. Bitte gehen Sie noch einmal zu Gusto und wählen Sie die aus, die verbunden werden soll.",
  "This is another company than the one that is connected. Please choose the same one at Gusto.":
    "Dies ist eine andere Firma als die verbundene. Bitte wählen Sie bei Gusto dieselbe aus.",
  "Nothing of this company may be read. Please approve as its primary administrator, or as one with full access.":
    "Von dieser Firma darf nichts gelesen werden. Bitte stimmen Sie als ihr Hauptadministrator zu, oder als einer mit vollem Zugriff.",
};
